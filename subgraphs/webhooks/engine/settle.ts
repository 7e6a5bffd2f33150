import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { deactivateWebhook } from '../subscriptions/deactivate-webhook.js';
import { lockAll } from '../subscriptions/subscription.store.js';
import { settleAttempts, type Outcome } from './settle.store.js';

/** Writes down how attempts ended; together with the end of subscriptions whose receivers are gone or never answered. */
export async function settle(context: Context, outcomes: readonly Outcome[]): Promise<void> {
  const last = outcomes.filter(({ verdict }) => verdict.deactivates !== undefined);
  if (last.length === 0) {
    await settleAttempts(context, outcomes);
    return;
  }
  await inTransaction(context, async (tx) => {
    // Before anything else, as every act on a subscription does: none of them can wait for another in a ring.
    await lockAll(
      tx,
      outcomes.map(({ claimed }) => claimed.subscriptionId),
    );
    await settleAttempts(tx, outcomes);
    for (const { claimed, verdict } of last) {
      const { subscriptionId: id, begunAt } = claimed;
      await deactivateWebhook(tx, { id, gone: verdict.deactivates === 'gone', begunAt });
    }
  });
}
