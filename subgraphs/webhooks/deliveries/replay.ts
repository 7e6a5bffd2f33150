import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { wakeEngines } from '../engine/wake.js';
import { lockActiveWebhook } from '../subscriptions/own-webhook.js';
import { startMissed } from './delivery.store.js';

/**
 * Sends everything again that failed or was skipped, of events since a moment; they are kept for 30 days. Answers how
 * many deliveries that are.
 * @throws {Fault} NOT_FOUND, CONFLICT while the subscription is deactivated
 */
export async function replay(context: Context, id: string, since: Date): Promise<number> {
  return inTransaction(context, async (tx) => {
    const subscription = await lockActiveWebhook(tx, id);
    const count = await startMissed(tx, subscription.id, since);
    afterCommit(tx, () => {
      wakeEngines(context);
    });
    return count;
  });
}
