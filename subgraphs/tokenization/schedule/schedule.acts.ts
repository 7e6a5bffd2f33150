import { loadCalendar, type Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { ApiError, refuse, errorAt } from '../../../shared/kernel/errors.js';
import { policyOf } from '../price-runs/policy-of.js';
import { lockTranche, raisePolicyVersion, type LockedTranche, type TrancheRow } from '../tranches/tranche.store.js';
import { requirePolicy } from '../unit-price/policy.js';
import { schedule, type Instalment } from '../unit-price/schedule.js';
import type { SchedulePolicy } from '../unit-price/schedule-policy.js';
import {
  addPayment,
  findByReference,
  lockInstalment,
  mostRecordedPayments,
  openInstalments,
  payInstalment,
  recordedPayments,
  replaceSchedule,
} from './schedule-writes.store.js';
import { loadMarket } from '../indices/load-market.js';
import { standingEvents } from '../events/event.store.js';
import { hasLateTerms, lateCharges, noCharges } from './late-charges.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { endPrices } from '../price-runs/end-prices.js';
import { announceBooks } from '../series/book.js';
import { paymentEvent } from './payment-event.js';
import { isSame, pay, paymentsOf, type LateCharges, type Payment, type PaymentRow } from './payment.js';
import { entryName, type ScheduleEntryRow } from './schedule.store.js';
import type { Projections } from './projections.js';
import { addUpPayments, type PaymentTotals, type UpcomingQuery } from './upcoming-payments.js';

/** Replaces the schedule of a DRAFT; its prices are computed again. @throws {ApiError} NOT_FOUND, CONFLICT for another status, UNPROCESSABLE for an invalid schedule */
export async function generateSchedule(
  context: Context,
  calendar: Calendar,
  ticker: string,
  policy: SchedulePolicy,
): Promise<TrancheRow> {
  return inTransaction(context, async (tx) => {
    const tranche = await lockTranche(tx, ticker);
    if (tranche.status !== 'DRAFT')
      throw new ApiError('CONFLICT', {
        message: `The series is ${tranche.status}: its schedule can no longer be replaced`,
      });
    await replaceSchedule(tx, tranche.id, instalmentsOf(tranche, policy, calendar));
    await raisePolicyVersion(tx, tranche.id);
    return tranche;
  });
}

function instalmentsOf(tranche: LockedTranche, policy: SchedulePolicy, calendar: Calendar): Instalment[] {
  try {
    const instalments = schedule(policy, calendar, tranche.amortizationOf);
    requirePolicy({ ...policyOf(tranche, []), events: instalments });
    return instalments;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError('UNPROCESSABLE', {
      message: error.message,
      details: [{ path: 'schedule', message: error.message }],
    });
  }
}

/**
 * Records a payment of an instalment to the holders: of what is open, or of a part of it. An instalment that is paid in full is announced; the last payment
 * ends the price of the series. Repeating the same payment returns the same result.
 * @throws {ApiError} NOT_FOUND for an unknown instalment, UNPROCESSABLE for an impossible payment or one of more than is due, CONFLICT for a series that owes
 *   nothing (DRAFT, CLOSED), an instalment that is paid or has unknown amounts, or a reference of another payment of the series
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
    await requireFreeReference(tx, instalment, payment);
    const [recorded = []] = await recordedPayments(tx, [instalment]);
    const payments = paymentsOf(instalment, recorded);
    const charges = await openCharges(tx, tranche, { instalment, payments, payment });
    const paid = pay(instalment, payment, { today: civilDate(tx.clock.now()), payments, charges });
    if (paid.instalment === instalment) return instalment;
    if (tranche.status !== 'ACTIVE' && tranche.status !== 'FUNDRAISING')
      throw new ApiError('CONFLICT', { message: `The series is ${tranche.status} and makes no payments` });
    if (recorded.length >= mostRecordedPayments)
      throw new ApiError('CONFLICT', {
        message: `The instalment has ${String(mostRecordedPayments)} payments, which is the most that are recorded`,
      });
    if (paid.payment !== undefined) await addPayment(tx, instalment, paid.payment);
    const subject = { type: 'tranche', id: tranche.ticker };
    const after = { ...paid.instalment, payment: paid.payment };
    await recordAudit(tx, { action: 'recordPayment', subject, before: instalment, after });
    if (paid.instalment.status !== 'PAID' || instalment.status === 'PAID') {
      await announceBooks(tx, [tranche.id]);
      return paid.instalment;
    }
    const { correction } = await payInstalment(tx, paid.instalment);
    await announce(tx, paymentEvent('payment.completed', tranche.ticker, { ...paid.instalment, correction }));
    await endPrices(tx, [tranche.id]);
    await announceBooks(tx, [tranche.id]);
    return paid.instalment;
  });
}

/** @param path of the event @throws {ApiError} BAD_REQUEST for neither or both, and for a text that is no number of an event, NOT_FOUND for a number below 1 */
export function requireEntryNumber(
  {
    installmentNumber,
    event,
  }: { readonly installmentNumber?: number | null | undefined; readonly event?: string | null | undefined },
  path = 'event',
): number {
  const [, number] = /^[Ee]([1-9]\d{0,3})$/.exec(event ?? '') ?? [];
  if ((installmentNumber == null) === (event == null))
    refuse('BAD_REQUEST', [errorAt('installmentNumber', 'EITHER', { first: 'installmentNumber', second: 'event' })]);
  if (event != null && number === undefined) refuse('BAD_REQUEST', [errorAt(path, 'EVENT_NUMBER')]);
  if (installmentNumber != null && installmentNumber < 1)
    throw new ApiError('NOT_FOUND', { message: `The series has no instalment ${String(installmentNumber)}` });
  return installmentNumber ?? -Number(number);
}

/** @throws {ApiError} CONFLICT for the reference of another payment of the series */
async function requireFreeReference(tx: Context, instalment: ScheduleEntryRow, payment: Payment): Promise<void> {
  const { trancheId, installmentNumber } = instalment;
  if (payment.reference === undefined) return;
  const used = await findByReference(tx, trancheId, payment.reference);
  if (used === undefined || (used.installmentNumber === installmentNumber && isSame(instalment, payment, used))) return;
  const details = [
    errorAt('reference', 'PAYMENT_REFERENCE_USED', { number: entryName(used.installmentNumber), amount: used.amount }),
  ];
  throw new ApiError('CONFLICT', { details });
}

/** Returns the late charges of which a payment pays some; undefined where none are named, or the series has no terms for them. */
async function openCharges(
  tx: Context,
  tranche: TrancheRow,
  given: { readonly instalment: ScheduleEntryRow; readonly payments: readonly PaymentRow[]; readonly payment: Payment },
): Promise<LateCharges | undefined> {
  const { instalment, payments, payment } = given;
  if (payment.lateCharges === undefined || !hasLateTerms(tranche)) return undefined;
  if (instalment.totalValue === null) return noCharges;
  const inputs = await loadMarket(tx, await loadCalendar(tx.manager));
  const [events = []] = await standingEvents(tx, [tranche.id]);
  const charges = lateCharges(tranche, instalment, payments, { on: payment.paidOn, events }, inputs) ?? noCharges;
  // A payment that is dated back owes no charges that a later one paid.
  const later = payments.filter(({ paidOn, reversedAt }) => reversedAt === null && paidOn > payment.paidOn);
  const left = (open: string, part: 'fine' | 'mora' | 'remuneration') =>
    Decimal.max(new Decimal(open).minus(sum(later.map((one) => one[part]))), 0).toFixed(2);
  const [fine, mora] = [left(charges.fine, 'fine'), left(charges.mora, 'mora')];
  const remuneration = charges.remuneration === null ? null : left(charges.remuneration, 'remuneration');
  return { fine, mora, remuneration, total: remuneration === null ? null : sum([fine, mora, remuneration]).toFixed(2) };
}

const mostSeries = 500;
const mostPayments = 10_000;

/** Series are projected only where an amount is not known. @throws {ApiError} BAD_REQUEST for more series or payments than are added up in one request */
export async function addUpUpcomingPayments(
  context: Context,
  projections: Projections,
  query: UpcomingQuery,
): Promise<PaymentTotals> {
  const instalments = await openInstalments(context, query, mostPayments + 1);
  const unknown = instalments.filter(({ interestValue }) => interestValue === null);
  const trancheIds = [...new Set(unknown.map(({ trancheId }) => trancheId))];
  if (instalments.length > mostPayments || trancheIds.length > mostSeries)
    throw new ApiError('BAD_REQUEST', {
      message: `Totals are of at most ${String(mostPayments)} payments and ${String(mostSeries)} series: send tickers, or a shorter period`,
    });
  const load = loaderOf(context, projections);
  const projected = await Promise.all(trancheIds.map(async (id) => [id, await load.load(id)] as const));
  return addUpPayments(instalments, new Map(projected));
}
