import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { announceAll } from '../../../shared/outbox/outbox.js';
import { showRepaid, type RepaidSeries } from './repaid-series.store.js';
import { unitPriceEvent } from './unit-price-update.js';

/**
 * A unit on which nothing more will be paid is worth nothing: shows the series that were just repaid, or CLOSED, at 0.00000000,
 * and tells of it once. The history keeps what they were worth before. Runs in the transaction of the last payment, or of the
 * move, which has locked them.
 */
export async function endPrices(tx: Context, trancheIds: readonly string[]): Promise<RepaidSeries[]> {
  const repaid = await showRepaid(tx, trancheIds, civilDate(tx.clock.now()));
  await announceAll(
    tx,
    repaid.map((price) => unitPriceEvent(price)),
  );
  return repaid;
}
