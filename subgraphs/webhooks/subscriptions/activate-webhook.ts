import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { lockOwnWebhook } from './own-webhook.js';
import { activate, type SubscriptionRow } from './subscription.store.js';

/**
 * Lets deliveries begin again. What was skipped comes by a replay only. One that is active stays so.
 * @throws {ApiError} NOT_FOUND
 */
export async function activateWebhook(context: Context, id: string): Promise<SubscriptionRow> {
  return inTransaction(context, async (tx) => {
    const row = await lockOwnWebhook(tx, id);
    await activate(tx, row.id);
    return { ...row, status: 'active' };
  });
}
