import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { keptMs } from './delivery.js';
import { forgetEvents, forgetSubscriptions } from './delivery.store.js';

/** Events at once, so that no lock is held long. */
const batch = 1_000;

/** Forgets what is older than thirty days. */
export async function forgetDeliveries(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - keptMs);
  for (;;) {
    const forgotten = await inTransaction(context, (tx) => forgetEvents(tx, before, batch));
    if (forgotten < batch) break;
  }
  await forgetSubscriptions(context, before);
}
