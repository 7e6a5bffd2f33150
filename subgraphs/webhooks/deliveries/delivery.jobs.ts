import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { dropPast } from '../../../shared/database/partitions/partitions.js';
import { untilFew } from '../../../shared/kernel/turns.js';
import { keptMs } from './delivery.js';
import {
  dropPartition,
  forgetEvents,
  forgetSubscriptions,
  skipStranded,
  forgetRedeliveries,
  addUpTallies,
} from './delivery.store.js';

/** Number of rows per batch, so that no lock is held long. */
const batch = 1_000;

/** For so long rows wait for their partition, a week, to be dropped as a whole; a day more, so that it is. */
const partitionMs = 8 * 86_400_000;

/** Drops partitions, once pending ones to inactive subscriptions are ended; deletes row by row what is in none that could be dropped: older, or beside a pending delivery. */
export async function forgetDeliveries(context: Context, stopping?: AbortSignal): Promise<void> {
  const before = new Date(context.clock.now().getTime() - keptMs);
  await untilFew(batch, () => skipStranded(context, batch), stopping);
  await dropPast(context, () => dropPartition(context, before));
  const overdue = new Date(before.getTime() - partitionMs);
  await untilFew(batch, () => inTransaction(context, (tx) => forgetEvents(tx, overdue, batch)), stopping);
  await forgetRedeliveries(context, before);
  await forgetSubscriptions(context, before);
}

const tallyBatch = 10_000;

/** Adds all changes to the numbers of deliveries. A reader adds up both, so that it gets the same number before and after. */
export function addUpAllTallies(context: Context): Promise<number> {
  return untilFew(tallyBatch, () => addUpTallies(context, tallyBatch));
}
