import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { endPrices } from '../price-runs/end-prices.js';
import { countInstalments, lockTranche, setTrancheStatus, type TrancheRow } from './tranche.store.js';
import { trancheEvent } from './tranche-event.js';
import type { TrancheStatus } from './tranche.js';
import { whyNotMove } from './tranche-transitions.js';

/**
 * Changes the status of a series and announces it; the price of a CLOSED series ends. A series that already has the status stays unchanged, without an
 * error.
 * @throws {ApiError} NOT_FOUND for an unknown ticker, CONFLICT for a transition that does not exist or whose condition does not hold
 */
export async function changeTrancheStatus(context: Context, ticker: string, to: TrancheStatus): Promise<TrancheRow> {
  return inTransaction(context, async (tx) => {
    const tranche = await lockTranche(tx, ticker);
    const { id, status, patrimonyTicker } = tranche;
    if (status === to) return tranche;
    const invested = !new Decimal(tranche.investedAmount).isZero();
    const message = whyNotMove({ status, invested, ...(await countInstalments(tx, id)) }, to);
    if (message !== undefined) throw new ApiError('CONFLICT', { message });
    await setTrancheStatus(tx, id, to);
    const subject = { type: 'tranche', id: tranche.ticker };
    await recordAudit(tx, { action: 'changeTrancheStatus', subject, before: { status }, after: { status: to } });
    await announce(
      tx,
      trancheEvent({ trancheTicker: tranche.ticker, patrimonyTicker, previousStatus: status, status: to }),
    );
    if (to !== 'CLOSED') return { ...tranche, status: to };
    const [ended] = await endPrices(tx, [id]);
    if (ended === undefined) return { ...tranche, status: to };
    const { date: pricedOn, unitPrice, nominalValue, interestJ: interest } = ended;
    return { ...tranche, status: to, pricedOn, unitPrice, nominalValue, interest };
  });
}
