import { civilDate } from '../../../shared/kernel/clock.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { endPrices } from '../price-runs/end-prices.js';
import { lockTranche } from '../tranches/tranche.store.js';
import { paymentEvent } from './payment-event.js';
import { pay, type Payment } from './payment.js';
import { lockInstalment, payInstalment } from './schedule-writes.store.js';
import type { ScheduleEntryRow } from './schedule.store.js';

/**
 * Records that an instalment was paid to the holders, and announces it; the last payment ends the price of the series.
 * Repeating the same payment returns the same result.
 * @throws {ApiError} NOT_FOUND for an unknown instalment, UNPROCESSABLE for an impossible payment, CONFLICT for a series that
 *   owes nothing (DRAFT, CLOSED), another payment of the same instalment, or an instalment with unknown amounts
 */
export async function recordPayment(
  context: Context,
  ticker: string,
  installmentNumber: number,
  payment: Payment,
): Promise<ScheduleEntryRow> {
  return inTransaction(context, async (tx) => {
    const tranche = await lockTranche(tx, ticker);
    const instalment = await lockInstalment(tx, tranche, installmentNumber);
    const paid = pay(instalment, payment, civilDate(tx.clock.now()));
    if (paid === instalment) return paid;
    if (tranche.status !== 'ACTIVE' && tranche.status !== 'FUNDRAISING')
      throw new ApiError('CONFLICT', { message: `The series is ${tranche.status} and makes no payments` });
    const { correction } = await payInstalment(tx, paid);
    const subject = { type: 'tranche', id: tranche.ticker };
    await recordAudit(tx, { action: 'recordPayment', subject, before: instalment, after: paid });
    await announce(tx, paymentEvent('payment.completed', tranche.ticker, { ...paid, correction }));
    await endPrices(tx, [tranche.id]);
    return paid;
  });
}
