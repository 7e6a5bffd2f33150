import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { auditedKey } from './mint-operator-key.js';
import { lockKey, setKeyRevoked } from './operator.store.js';

/**
 * Revokes one key of an operator, permanently. Repeating it changes nothing and is no error.
 * @throws {ApiError} NOT_FOUND
 */
export async function revokeOperatorKey(
  context: Context,
  forgetKey: (prefix: string) => void,
  keyId: string,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const key = isUuid(keyId) ? await lockKey(tx, keyId) : undefined;
    if (key === undefined) throw new ApiError('NOT_FOUND', { message: 'No operator has such a key' });
    const revokedAt = key.revokedAt ?? tx.clock.now();
    if (key.revokedAt === null) await setKeyRevoked(tx, keyId, revokedAt);
    afterCommit(tx, () => forgetKey(key.prefix));
    await recordAudit(tx, {
      action: 'revokeOperatorKey',
      subject: { type: 'operator', id: key.operatorId },
      before: auditedKey(key),
      after: auditedKey({ ...key, revokedAt }),
    });
  });
}
