import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { lockOwnWebhook } from './own-webhook.js';
import type { SubscriptionRow } from './subscription.js';
import { activate } from './subscription.store.js';

/**
 * Resumes deliveries. Skipped ones are sent only by a replay. An active subscription stays unchanged.
 * @throws {ApiError} NOT_FOUND
 */
export async function activateWebhook(context: Context, id: string): Promise<SubscriptionRow> {
  return inTransaction(context, async (tx) => {
    const row = await lockOwnWebhook(tx, id);
    await activate(tx, row.id);
    return { ...row, status: 'active' };
  });
}
