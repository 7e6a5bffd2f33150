import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { ApiError, requireFound } from '../../../shared/kernel/errors.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import { replaceRows } from '../../../shared/import/replace-rows.js';
import { requireTakenBack } from '../../../shared/import/revert.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { overdueUntil } from '../../securities/payments.js';
import { tokenizationImport } from '../import/domain.js';
import { schedule } from '../import/model/schedule.js';
import { announceBooks } from '../series/book.js';
import { entryValues, type EntryValue } from '../events/entry-values.js';
import { lockSchedule, standingEvents } from '../events/event.store.js';
import { lockTranche, type LockedTranche, type TrancheRow } from '../tranches/tranche.store.js';
import {
  endPayment,
  lockInstalment,
  pricesOfDays,
  recordedPayments,
  setDue,
  type RecordedPayment,
} from './schedule-writes.store.js';
import { entryInWords, type ScheduleEntryRow } from './schedule.store.js';

export interface Reversal {
  readonly ticker: string;
  readonly installmentNumber: number;
  readonly reason: string;
  /** Its id; undefined for the last one that stands, or the one that an import brought. */
  readonly paymentId?: string | undefined;
}

/**
 * Reverses a payment of an instalment, whether an operator recorded it or an import brought it: its amount is owed again, and a series that it ended shows its
 * price again. If nothing else is paid, the amounts follow from the price of the instalment's day. The payment stays in the history, with the reason.
 * @throws {ApiError} BAD_REQUEST for an empty reason, NOT_FOUND for an unknown instalment or payment, CONFLICT for an instalment that is not paid or pays nothing,
 * a payment that was reversed, or a series that is CLOSED
 */
export async function reversePayment(
  context: Context,
  { ticker, installmentNumber, reason, paymentId }: Reversal,
): Promise<ScheduleEntryRow> {
  const said = requireReason(reason);
  return inTransaction(context, async (tx) => {
    await requireNoImport(tx);
    const tranche = await lockTranche(tx, ticker);
    const instalment = await lockInstalment(tx, tranche, installmentNumber);
    const [recorded = []] = await recordedPayments(tx, [instalment]);
    const payment = paymentToReverse(recorded, paymentId);
    if (payment === undefined && instalment.status !== 'PAID')
      throw new ApiError('CONFLICT', { message: 'The instalment is not paid' });
    if (tranche.status === 'CLOSED')
      throw new ApiError('CONFLICT', { message: 'The series is CLOSED: its payments cannot be reversed' });
    if (payment !== undefined) await endPayment(tx, payment.id, said);
    await oweAgain(tx, { tranche, before: instalment, payment, reason: said });
    return lockInstalment(tx, tranche, installmentNumber);
  });
}

/** @throws {ApiError} NOT_FOUND for an unknown payment, CONFLICT for one that was reversed */
function paymentToReverse(recorded: readonly RecordedPayment[], id: string | undefined): RecordedPayment | undefined {
  if (id === undefined) return recorded.findLast(({ reversedAt }) => reversedAt === null);
  const payment = requireFound(
    recorded.find((one) => one.id === id),
    'The instalment has no such payment',
  );
  if (payment.reversedAt !== null) throw new ApiError('CONFLICT', { message: 'The payment was reversed before' });
  return payment;
}

interface Reversed {
  readonly tranche: LockedTranche;
  readonly before: ScheduleEntryRow;
  /** The recorded payment; undefined for the one that an import brought. */
  readonly payment: RecordedPayment | undefined;
  readonly reason: string;
}

/** Sets what an instalment owes after a reversal. One that is still paid in full, or in part, keeps its amounts. */
async function oweAgain(tx: Context, { tranche, before, payment, reason }: Reversed): Promise<void> {
  const { installmentNumber, status } = before;
  const after = await lockInstalment(tx, tranche, installmentNumber);
  const isEvent = installmentNumber < 0;
  const isOpen =
    payment === undefined || sum([payment.interest, payment.principal, isEvent ? payment.premium : '0']).gt(0);
  const isUnpaid = sum([
    after.recordedInterest,
    after.recordedPrincipal,
    isEvent ? after.recordedPremium : '0',
  ]).isZero();
  if (status === 'PAID' && isOpen) {
    const due = isUnpaid ? await dueColumns(tx, tranche, before) : {};
    const row = {
      kind: schedule,
      where: 't.tranche_id = $2 AND t.installment_number = $3',
      values: [tranche.id, installmentNumber],
      changes: { ...due, ...(await openColumns(tx, before)) },
    };
    const label = `payment: ${entryInWords(installmentNumber)} of ${tranche.ticker}`;
    requireTakenBack(await replaceRows(tx, tokenizationImport, [row], { action: 'reversePayment', label, reason }));
    return;
  }
  const due = isUnpaid && isOpen ? await dueOf(tx, tranche, before) : undefined;
  if (due !== undefined) await setDue(tx, before, due);
  const subject = { type: 'tranche', id: tranche.ticker };
  await recordAudit(tx, { action: 'reversePayment', subject, before: { ...before, payment }, after, reason });
  await announceBooks(tx, [tranche.id]);
}

async function openColumns(tx: Context, { dueDate }: ScheduleEntryRow) {
  const upTo = overdueUntil(civilDate(tx.clock.now()), await loadCalendar(tx.manager));
  return { paid_on: null, status: dueDate <= upTo ? 'OVERDUE' : 'PENDING' };
}

/** Amounts that are due again; unknown on a day without a price. @throws {ApiError} CONFLICT for an instalment that pays nothing: the program marks it as paid on its day */
async function dueColumns(tx: Context, tranche: TrancheRow, instalment: ScheduleEntryRow) {
  const { interestEvent, amortizationPercentage } = instalment;
  const known = await dueOf(tx, tranche, instalment);
  const isRedemption = instalment.installmentNumber < 0 && interestEvent === 'ACCRUED';
  const paysNothing = interestEvent !== 'PAID' && new Decimal(amortizationPercentage).isZero() && !isRedemption;
  // The premium is no column of an import: it is written before the others.
  if (known !== undefined && known.premiumValue !== instalment.premiumValue) await setDue(tx, instalment, known);
  if (known?.totalValue === '0.00' || paysNothing)
    throw new ApiError('CONFLICT', { message: 'The instalment pays nothing, so that there is no payment to reverse' });
  return {
    interest_value: known?.interestValue ?? null,
    principal_value: known?.principalValue ?? null,
    total_value: known?.totalValue ?? null,
  };
}

async function dueOf(tx: Context, series: TrancheRow, row: ScheduleEntryRow): Promise<EntryValue | undefined> {
  const { trancheId, installmentNumber, calculationDate } = row;
  const [price] = await pricesOfDays(tx, [row]);
  if (price === undefined) return undefined;
  const [events = []] = await standingEvents(tx, [trancheId]);
  const rows = (await lockSchedule(tx, trancheId)).filter((one) => one.calculationDate === calculationDate);
  const values = entryValues(price, { rows, series, events }, await loadCalendar(tx.manager));
  return values.find((value) => value.installmentNumber === installmentNumber);
}
