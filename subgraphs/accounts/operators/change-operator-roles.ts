import { recordAudit } from '../../../shared/audit/record.js';
import { chosenNames } from '../../../shared/chosen-names.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { byRule } from '../../../shared/rule-error.js';
import { roles } from '../../../shared/subgraph/roles.js';
import { keysOfOperators, setRoles, type OperatorRow } from './operator.store.js';
import { requireActiveOperator } from './require-operator.js';

/**
 * Replaces the roles of an operator.
 * @throws {ApiError} BAD_REQUEST for invalid roles; FORBIDDEN for the caller's own; NOT_FOUND; CONFLICT for a revoked operator
 */
export async function changeOperatorRoles(
  context: Context,
  forgetKey: (prefix: string) => void,
  idOrEmail: string,
  given: readonly string[],
): Promise<OperatorRow> {
  const { chosen, errors } = chosenNames('roles', roles, given);
  refuse('BAD_REQUEST', errors);
  return inTransaction(context, async (tx) => {
    const operator = await requireActiveOperator(tx, idOrEmail);
    const { id, email } = operator;
    if (tx.principal.ownerId === id) throw new ApiError('FORBIDDEN', byRule('OWN_ROLES'));
    await setRoles(tx, id, chosen);
    const [keys = []] = await keysOfOperators(tx, [id]);
    afterCommit(tx, () => {
      for (const { prefix } of keys) forgetKey(prefix);
    });
    await recordAudit(tx, {
      action: 'changeOperatorRoles',
      subject: { type: 'operator', id },
      before: { email, roles: operator.roles },
      after: { email, roles: chosen },
    });
    return { ...operator, roles: chosen };
  });
}
