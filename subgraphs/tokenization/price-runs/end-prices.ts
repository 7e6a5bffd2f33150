import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { showAgain, showRepaid, type ChangedPrice } from './price-run.store.js';
import { unitPriceEvent } from './unit-price-update.js';

/**
 * Shows series that were just repaid or CLOSED at 0.00000000, since a unit without future payments is worth nothing, and those that owe something again, since
 * a payment was reversed, at their newest price. Announces both once. The history keeps earlier prices. Runs in the transaction of the payment, its
 * reversal or the change of status, which has locked the series.
 */
export async function endPrices(tx: Context, trancheIds: readonly string[]): Promise<ChangedPrice[]> {
  const changed = [
    ...(await showRepaid(tx, trancheIds, civilDate(tx.clock.now()))),
    ...(await showAgain(tx, trancheIds)),
  ];
  await announceAll(
    tx,
    // The zero price of a day or a later one was announced, so that the price of before corrects it.
    changed.map((price) => unitPriceEvent(price, price.isCorrection || Number(price.unitPrice) !== 0)),
  );
  return changed;
}
