import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { untilFew } from '../../../shared/kernel/turns.js';
import { keptMs } from './delivery.js';
import { forgetEvents, forgetSubscriptions, skipStranded, forgetRedeliveries, addUpTallies } from './delivery.store.js';

/** Number of rows per batch, so that no lock is held long. */
const batch = 1_000;

/** Ends pending deliveries to inactive subscriptions; then deletes what is past its time and does not wait. */
export async function forgetDeliveries(context: Context, stopping?: AbortSignal): Promise<void> {
  const before = new Date(context.clock.now().getTime() - keptMs);
  await untilFew(batch, () => skipStranded(context, batch), stopping);
  await untilFew(batch, () => inTransaction(context, (tx) => forgetEvents(tx, before, batch)), stopping);
  await forgetRedeliveries(context, before);
  await forgetSubscriptions(context, before);
}

const tallyBatch = 10_000;

/** Adds all changes to the numbers of deliveries. A reader adds up both, so that it gets the same number before and after. */
export function addUpAllTallies(context: Context): Promise<number> {
  return untilFew(tallyBatch, () => addUpTallies(context, tallyBatch));
}
