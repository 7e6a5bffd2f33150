import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { chosenNames } from '../../../shared/kernel/chosen-names.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, byRule } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { roles } from '../../../shared/graphql/roles.js';
import { emailErrors, textErrors, trimEmail } from '../accounts/account.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { auditedKey, issueOperatorKey, type CreatedOperatorKey } from './mint-operator-key.js';
import { daysErrors } from './operator.js';
import { insertOperator, type OperatorRow } from './operator.store.js';
import { removeFactorsOf } from '../second-factors/factor.store.js';

export interface OperatorInput {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly days: number;
}

export interface AddedOperator {
  readonly operator: OperatorRow;
  readonly key: CreatedOperatorKey;
}

/**
 * Adds an operator with a first key, which is mailed as a link. One who was revoked is the same operator again: a person never counts twice. Keys stay revoked,
 * and second factors are enrolled anew.
 * @throws {ApiError} BAD_REQUEST for an invalid e-mail, name, roles or days; CONFLICT if an operator has the e-mail
 */
export async function addOperator(context: Context, desk: MailDesk, input: OperatorInput): Promise<AddedOperator> {
  const { chosen, errors } = chosenNames('roles', roles, input.roles);
  refuse('BAD_REQUEST', [
    ...emailErrors(input.email),
    ...textErrors('name', input.name),
    ...errors,
    ...daysErrors(input.days),
  ]);
  return inTransaction(context, async (tx) => {
    const createdAt = tx.clock.now();
    const id = newId(createdAt.getTime());
    const given = { email: trimEmail(input.email), name: identifyingText(input.name), roles: chosen };
    const operator = await insertOperator(tx, { id, ...given, createdAt, revokedAt: null });
    if (operator === undefined) throw new ApiError('CONFLICT', byRule('OPERATOR_EXISTS', { email: given.email }));
    // Whoever has what was enrolled before the revocation may not be this person.
    if (operator.id !== id) await removeFactorsOf(tx, [operator.id]);
    const key = await issueOperatorKey(tx, desk, operator, input.days);
    const { email, name } = operator;
    await recordAudit(tx, {
      action: 'addOperator',
      subject: { type: 'operator', id: operator.id },
      after: { email, name, roles: chosen, ...auditedKey(key) },
    });
    return { operator, key };
  });
}
