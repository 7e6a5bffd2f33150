import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { lockCredential, saveCredential } from './credential.store.js';

/**
 * Revokes a credential for good: within a second every request with one of its tokens is rejected, and its sockets close within ten seconds.
 * A repetition changes nothing.
 * @throws {ApiError} NOT_FOUND
 */
export async function revokeCredential(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const row = await lockCredential(tx, id);
    const revoked = row.revokedAt === null ? await saveCredential(tx, { ...row, revokedAt: tx.clock.now() }) : row;
    const subject = { type: 'tradingCredential', id: row.id };
    await recordAudit(tx, { action: 'revokeTradingCredential', subject, before: row, after: revoked });
  });
}
