import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { keptMs } from './delivery.js';
import { forgetEvents, forgetSubscriptions, skipStranded } from './delivery.store.js';
import { forgetRedeliveries } from './redelivery.store.js';

/** Number of rows per batch, so that no lock is held long. */
const batch = 1_000;

/** Deletes deliveries older than thirty days; before that, ends pending deliveries to inactive subscriptions. */
export async function forgetDeliveries(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - keptMs);
  while ((await skipStranded(context, batch)) === batch);
  for (;;) {
    const forgotten = await inTransaction(context, (tx) => forgetEvents(tx, before, batch));
    if (forgotten < batch) break;
  }
  await forgetRedeliveries(context, before);
  await forgetSubscriptions(context, before);
}
