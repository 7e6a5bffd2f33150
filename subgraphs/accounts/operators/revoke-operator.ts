import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { setOperatorRevoked, type OperatorRow } from './operator.store.js';
import { requireOperator } from './require-operator.js';

/**
 * Revokes an operator with all keys, permanently. Repeating it changes nothing and is no error.
 * @throws {ApiError} NOT_FOUND
 */
export async function revokeOperator(
  context: Context,
  forgetKey: (prefix: string) => void,
  idOrEmail: string,
): Promise<OperatorRow> {
  return inTransaction(context, async (tx) => {
    const operator = await requireOperator(tx, idOrEmail);
    const { id, email, roles } = operator;
    const revokedAt = operator.revokedAt ?? tx.clock.now();
    if (operator.revokedAt === null) {
      const prefixes = await setOperatorRevoked(tx, id, revokedAt);
      afterCommit(tx, () => prefixes.forEach(forgetKey));
    }
    await recordAudit(tx, {
      action: 'revokeOperator',
      subject: { type: 'operator', id },
      before: { email, roles, revokedAt: operator.revokedAt },
      after: { email, roles, revokedAt },
    });
    return { ...operator, revokedAt };
  });
}
