import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { deactivateWebhook } from '../subscriptions/deactivate-webhook.js';
import { lockAll } from '../subscriptions/subscription.store.js';
import { giveBack, settleAttempts, type Ended } from './settle.store.js';

/**
 * Stores the results of attempts, deactivates subscriptions whose receivers are gone or never responded, and releases
 * deliveries that could not be signed. Repeating it changes nothing.
 */
export async function settle(context: Context, ended: readonly Ended[]): Promise<void> {
  const outcomes = ended.filter((one) => one.result !== undefined);
  const unsigned = ended.filter((one) => one.result === undefined);
  if (unsigned.length > 0) {
    await inTransaction(context, async (tx) => {
      await lockSubscriptions(tx, unsigned);
      await giveBack(tx, unsigned);
    });
  }
  if (outcomes.length === 0) return;
  if (!outcomes.some(({ verdict }) => verdict.deactivates !== undefined)) {
    await settleAttempts(context, outcomes);
    return;
  }
  await inTransaction(context, async (tx) => {
    await lockSubscriptions(tx, outcomes);
    const believed = await settleAttempts(tx, outcomes);
    for (const { claimed, verdict } of believed) {
      if (verdict.deactivates === undefined) continue;
      const { subscriptionId: id, begunAt } = claimed;
      await deactivateWebhook(tx, { id, gone: verdict.deactivates === 'gone', begunAt });
    }
  });
}

/** Locks the subscriptions first, as every mutation of a subscription does, so that no deadlock is possible. */
async function lockSubscriptions(tx: Context, ended: readonly Ended[]): Promise<void> {
  await lockAll(
    tx,
    ended.map(({ claimed }) => claimed.subscriptionId),
  );
}
