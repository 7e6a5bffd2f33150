import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { lockOwnWebhook } from './own-webhook.js';
import { removeSubscription } from './subscription.store.js';
import { auditedWebhook } from './trace-change.js';

/**
 * Deletes a subscription of the calling account, permanently.
 * @throws {ApiError} NOT_FOUND
 */
export async function deleteWebhook(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const row = await lockOwnWebhook(tx, id);
    await removeSubscription(tx, row.id);
    const subject = { type: 'webhook', id: row.id };
    await recordAudit(tx, { action: 'deleteWebhook', subject, before: auditedWebhook(row) });
  });
}
