import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { deactivateWebhook } from '../subscriptions/deactivate-webhook.js';
import { lockAll } from '../subscriptions/subscription.store.js';
import { settleAttempts, type Outcome } from './settle.store.js';

/** Writes down how attempts ended; together with the end of subscriptions whose receivers are gone or never answered. */
export async function settle(context: Context, outcomes: readonly Outcome[]): Promise<void> {
  if (!outcomes.some(({ verdict }) => verdict.deactivates !== undefined)) {
    await settleAttempts(context, outcomes);
    return;
  }
  await inTransaction(context, async (tx) => {
    // Before anything else, as every act on a subscription does: none of them can wait for another in a ring.
    await lockAll(
      tx,
      outcomes.map(({ claimed }) => claimed.subscriptionId),
    );
    const believed = await settleAttempts(tx, outcomes);
    const last = believed
      .filter(({ verdict }) => verdict.deactivates !== undefined)
      .sort((one, other) => (one.claimed.subscriptionId < other.claimed.subscriptionId ? -1 : 1));
    for (const { claimed, verdict } of last) {
      const { subscriptionId: id, begunAt } = claimed;
      await deactivateWebhook(tx, { id, gone: verdict.deactivates === 'gone', begunAt });
    }
  });
}
