import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import { replaceRows } from '../../../shared/import/replace-rows.js';
import { requireTakenBack } from '../../../shared/import/revert.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { overdueUntil } from '../../securities/payments.js';
import { tokenizationImport } from '../import/domain.js';
import { schedule } from '../import/model/schedule.js';
import { instalmentValue } from '../price-runs/instalment-value.js';
import { lockTranche, type TrancheRow } from '../tranches/tranche.store.js';
import { findPriceOf, lockInstalment } from './schedule-writes.store.js';
import type { ScheduleEntryRow } from './schedule.store.js';

/**
 * Reverses the payment of an instalment, whether an operator recorded it or an import brought it: the instalment is owed again, with the amounts by the price
 * of its day, and a series that this payment ended shows its price again. The payment stays in the history, with the reason.
 * @throws {ApiError} BAD_REQUEST for an empty reason, NOT_FOUND for an unknown instalment, CONFLICT for one that is not paid or pays nothing, or one of a
 *   series that is CLOSED
 */
export async function reversePayment(
  context: Context,
  ticker: string,
  installmentNumber: number,
  reason: string,
): Promise<ScheduleEntryRow> {
  const said = requireReason(reason);
  return inTransaction(context, async (tx) => {
    await requireNoImport(tx);
    const tranche = await lockTranche(tx, ticker);
    const instalment = await lockInstalment(tx, tranche, installmentNumber);
    if (instalment.status !== 'PAID') throw new ApiError('CONFLICT', { message: 'The instalment is not paid' });
    if (tranche.status === 'CLOSED')
      throw new ApiError('CONFLICT', { message: 'The series is CLOSED: its payments cannot be reversed' });
    const row = {
      kind: schedule,
      where: 't.tranche_id = $2 AND t.installment_number = $3',
      values: [tranche.id, installmentNumber],
      changes: await unpaidColumns(tx, tranche, instalment),
    };
    const label = `payment of instalment ${installmentNumber} of ${tranche.ticker}`;
    requireTakenBack(
      await replaceRows(tx, tokenizationImport, [row], { action: 'reversePayment', label, reason: said }),
    );
    return lockInstalment(tx, tranche, installmentNumber);
  });
}

/**
 * Returns the columns of an instalment that is owed again. Amounts of a day without a price are not known.
 * @throws {ApiError} CONFLICT for an instalment that pays nothing: the program marks it as paid on its day
 */
async function unpaidColumns(tx: Context, tranche: TrancheRow, instalment: ScheduleEntryRow) {
  const { calculationDate, dueDate, interestEvent, amortizationPercentage } = instalment;
  const price = await findPriceOf(tx, tranche.id, calculationDate);
  const known = price && instalmentValue(price, tranche.tokenQuantity);
  const total = known && sum([known.interestValue, known.principalValue]);
  if (total?.isZero() === true || (interestEvent !== 'PAID' && new Decimal(amortizationPercentage).isZero()))
    throw new ApiError('CONFLICT', { message: 'The instalment pays nothing, so that there is no payment to reverse' });
  const upTo = overdueUntil(civilDate(tx.clock.now()), await loadCalendar(tx.manager));
  return {
    paid_on: null,
    status: dueDate <= upTo ? 'OVERDUE' : 'PENDING',
    interest_value: known?.interestValue ?? null,
    principal_value: known?.principalValue ?? null,
    total_value: total?.toFixed(2) ?? null,
  };
}
