import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { byRule } from '../../../shared/rule-error.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import type { AddedOperator } from './add-operator.js';
import { auditedKey, issueOperatorKey } from './mint-operator-key.js';
import { daysErrors, maxOperatorKeys } from './operator.js';
import { countWorkingKeys } from './operator.store.js';
import { requireActiveOperator } from './require-operator.js';

/**
 * Gives an operator another key, so that a key can be replaced without interruption. Another operator's is mailed as a link.
 * @throws {ApiError} BAD_REQUEST for an invalid number of days; NOT_FOUND; CONFLICT for an operator who is revoked, or has five working
 *   keys
 */
export async function addOperatorKey(
  context: Context,
  desk: MailDesk,
  idOrEmail: string,
  days: number,
): Promise<AddedOperator> {
  refuse('BAD_REQUEST', daysErrors(days));
  return inTransaction(context, async (tx) => {
    const operator = await requireActiveOperator(tx, idOrEmail);
    const { id, email } = operator;
    if ((await countWorkingKeys(tx, id)) >= maxOperatorKeys)
      throw new ApiError('CONFLICT', byRule('OPERATOR_KEYS_FULL', { email, max: maxOperatorKeys }));
    const key = await issueOperatorKey(tx, desk, operator, days);
    await recordAudit(tx, {
      action: 'addOperatorKey',
      subject: { type: 'operator', id },
      after: { email, ...auditedKey(key) },
    });
    return { operator, key };
  });
}
