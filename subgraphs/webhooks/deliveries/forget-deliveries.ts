import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { dropPast } from '../../../shared/partitions/drop-past.js';
import { keptMs } from './delivery.js';
import { dropPartition, forgetEvents, forgetSubscriptions, skipStranded } from './delivery.store.js';
import { forgetRedeliveries } from './redelivery.store.js';

/** Number of rows per batch, so that no lock is held long. */
const batch = 1_000;

/** For so long rows wait for their partition, a week, to be dropped as a whole; a day more, so that it is. */
const partitionMs = 8 * 86_400_000;

/**
 * Deletes deliveries older than thirty days, by dropping partitions; before that, ends pending deliveries to inactive subscriptions. Row by row it deletes what is
 * in no partition that could be dropped: older than the first one, or beside a delivery that is still pending.
 */
export async function forgetDeliveries(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - keptMs);
  while ((await skipStranded(context, batch)) === batch);
  await dropPast(context, () => dropPartition(context, before));
  const overdue = new Date(before.getTime() - partitionMs);
  for (;;) {
    const forgotten = await inTransaction(context, (tx) => forgetEvents(tx, overdue, batch));
    if (forgotten < batch) break;
  }
  await forgetRedeliveries(context, before);
  await forgetSubscriptions(context, before);
}
