import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { showRepaid, type RepaidSeries } from './price-run.store.js';
import { unitPriceEvent } from './unit-price-update.js';

/** Ends them at 0.00000000, since a unit without future payments is worth nothing; announces it once. Runs in the transaction of the last payment or change of status, which locked them. */
export async function endPrices(tx: Context, trancheIds: readonly string[]): Promise<RepaidSeries[]> {
  const repaid = await showRepaid(tx, trancheIds, civilDate(tx.clock.now()));
  await announceAll(
    tx,
    repaid.map((price) => unitPriceEvent(price)),
  );
  return repaid;
}
