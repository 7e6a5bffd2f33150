import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { KeyKind } from './key-kind.js';
import { revoke } from './api-key.store.js';

/** Revokes permanently; a repetition is no error. @throws {ApiError} NOT_FOUND for a key that does not exist or belongs to someone else */
export async function revokeKey(
  context: Context,
  { table, subject, revoked }: KeyKind,
  forgetKey: (prefix: string) => void,
  id: string,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const prefix = isUuid(id) ? await revoke(tx, table, tx.principal.ownerId, id) : undefined;
    if (prefix === undefined) throw new ApiError('NOT_FOUND', { message: 'The account has no such key' });
    await recordAudit(tx, { action: revoked, subject: { type: subject, id }, after: { prefix } });
    afterCommit(tx, () => forgetKey(prefix));
  });
}
