import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { revokeKey } from './originator-key.store.js';

/** Revokes a key for good; a repetition changes nothing and is no error. @throws {ApiError} NOT_FOUND */
export async function revokeOriginatorKey(
  context: Context,
  forgetClient: (id: string) => void,
  id: string,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const originatorId = requireFound(isUuid(id) ? await revokeKey(tx, id) : undefined, 'There is no such key');
    const subject = { type: 'originator', id: originatorId };
    await recordAudit(tx, {
      action: 'revokeOriginatorKey',
      subject,
      before: { keyId: id },
      after: { keyId: id, revoked: true },
    });
    afterCommit(tx, () => forgetClient(originatorId));
  });
}
