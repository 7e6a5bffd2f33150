import { setImmediate as othersFirst } from 'node:timers/promises';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { loadCalendar, type Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { ApiError, refuse, requireFound, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { percentageText } from '../../../shared/kernel/format/format.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { overdueUntil } from '../../securities/payments.js';
import { loadMarket } from '../indices/load-market.js';
import { policyOf } from '../price-runs/policy-of.js';
import { reprice, type Repricer } from '../price-runs/reprice.js';
import { lateCharges } from '../schedule/late-charges.js';
import { paidOf, paymentsOf, type LateCharges } from '../schedule/payment.js';
import { projectInstalments, type Projection } from '../schedule/project-instalments.js';
import { recordedPayments } from '../schedule/schedule-writes.store.js';
import { entryName, mostEvents, schedulesOf, type ScheduleEntryRow } from '../schedule/schedule.store.js';
import { announceBooks } from '../series/book.js';
import {
  findTranche,
  lockTranche,
  raisePolicyVersion,
  type LockedTranche,
  type TrancheRow,
} from '../tranches/tranche.store.js';
import { isMissing } from '../unit-price/missing.js';
import { isPriceIndex } from '../unit-price/policy.js';
import { advance, unitPrice, type UnitPriceInputs, type UnitPriceRow } from '../unit-price/unit-price.js';
import { unitsOn, type EntryValue } from './entry-values.js';
import {
  addEvent,
  endEvent,
  eventsOf,
  lockSchedule,
  putEntries,
  removeEntries,
  type EventTerms,
  type TrancheEventRow,
} from './event.store.js';
import { changesSchedule, kindTerms, planEvent, sameEvent, leastShare, type Plan, type Planned } from './plan-event.js';

/** The schedule and prices from its day on follow; on a day with a published price that is a correction. A repetition returns the same one. @throws {ApiError} NOT_FOUND, CONFLICT, UNPROCESSABLE */
export async function declareEvent(
  context: Context,
  repricer: Repricer,
  ticker: string,
  given: EventTerms,
): Promise<TrancheEventRow> {
  const reason = requireReason(given.reason);
  return inTransaction(context, async (tx) => {
    const tranche = await lockTranche(tx, ticker);
    const calendar = await loadCalendar(tx.manager);
    const [all = []] = await eventsOf(tx, [tranche.id]);
    const planned = plannedOf(tranche, await lockSchedule(tx, tranche.id), all);
    const same = sameEvent(planned, given);
    if (same !== undefined) return same;
    if (all.length >= mostEvents) throw new ApiError('CONFLICT', byRule('EVENT_MOST', { most: mostEvents }));
    const number = all.length + 1;
    const { terms, plan } = await withinCalendar(() =>
      plannedBy(tx, planned, { ...given, reason }, { number, calendar }),
    );
    await requireUnpaid(tx, tranche.id, plan.ended);
    await removeEntries(tx, tranche.id, plan.ended);
    await putEntries(tx, tranche.id, plan.put);
    const { replaced, remaining } = plan;
    const event = await addEvent(tx, { trancheId: tranche.id, number, ...terms, replaced, remaining });
    await conclude(tx, repricer, tranche, event);
    return event;
  });
}

/** Its schedule is what it was before. @throws {ApiError} NOT_FOUND for an unknown event, CONFLICT for one that was withdrawn or paid, or that another one follows */
export async function withdrawEvent(
  context: Context,
  repricer: Repricer,
  { ticker, number, reason }: { readonly ticker: string; readonly number: number; readonly reason: string },
): Promise<TrancheEventRow> {
  const said = requireReason(reason);
  return inTransaction(context, async (tx) => {
    const tranche = await lockTranche(tx, ticker);
    const [all = []] = await eventsOf(tx, [tranche.id]);
    const event = requireFound(
      all.find((one) => one.number === number),
      `${tranche.ticker} has no event ${entryName(-number)}`,
    );
    if (event.withdrawnAt !== null) throw new ApiError('CONFLICT', byRule('EVENT_WITHDRAWN'));
    const { rows, events } = plannedOf(tranche, await lockSchedule(tx, tranche.id), all);
    const later = events.find((one) => one.number > number && one.day >= event.day && changesSchedule(one.kind));
    if (later !== undefined && changesSchedule(event.kind))
      throw new ApiError('CONFLICT', byRule('EVENT_LATER', { number: entryName(-later.number) }));
    const own = [-number, ...event.replaced.map(({ installmentNumber }) => installmentNumber)];
    await requireUnpaid(tx, tranche.id, own);
    // Later instalments were paid by a schedule with the event.
    const paid = rows.find(
      (row) =>
        changesSchedule(event.kind) &&
        (row.calculationDate > event.day || own.includes(row.installmentNumber)) &&
        new Decimal(paidOf(row).totalValue).gt(0),
    );
    if (paid !== undefined)
      throw new ApiError('CONFLICT', byRule('EVENT_PAID', { number: entryName(paid.installmentNumber) }));
    await removeEntries(tx, tranche.id, [-number]);
    await putEntries(tx, tranche.id, event.replaced);
    const ended = await endEvent(tx, event, said);
    await conclude(tx, repricer, tranche, ended);
    return ended;
  });
}

/** @throws {ApiError} CONFLICT where a payment of some rows stands, of their expenses too */
async function requireUnpaid(tx: Context, trancheId: string, numbers: readonly number[]): Promise<void> {
  const keys = numbers.map((installmentNumber) => ({ trancheId, installmentNumber }));
  const recorded = await recordedPayments(tx, keys);
  const paid = keys.find((_key, index) => recorded[index]?.some(({ reversedAt }) => reversedAt === null));
  if (paid !== undefined)
    throw new ApiError('CONFLICT', byRule('EVENT_PAID', { number: entryName(paid.installmentNumber) }));
}

/** @throws {ApiError} UNPROCESSABLE for a day that the calendar does not cover, and for amounts that no price can hold */
async function withinCalendar<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError('UNPROCESSABLE', { details: [{ path: 'day', message: error.message }] });
  }
}

/** @throws {ApiError} CONFLICT for a series without obligations */
function plannedOf(series: TrancheRow, rows: readonly ScheduleEntryRow[], all: readonly TrancheEventRow[]): Planned {
  if (series.status !== 'ACTIVE' && series.status !== 'FUNDRAISING')
    throw new ApiError('CONFLICT', byRule('EVENT_STATUS', { ticker: series.ticker }));
  return { series, rows, events: all.filter(({ withdrawnAt }) => withdrawnAt === null) };
}

/** Tells what was declared or withdrawn, and prices by the schedule that it leaves. */
async function conclude(
  tx: Context,
  repricer: Repricer,
  tranche: LockedTranche,
  event: TrancheEventRow,
): Promise<void> {
  const { kind, day, withdrawalReason } = event;
  const { ticker: trancheTicker, patrimonyTicker } = tranche;
  const [reason, done] = withdrawalReason === null ? [event.reason, 'declared'] : [withdrawalReason, 'withdrawn'];
  await recordAudit(tx, {
    action: withdrawalReason === null ? 'declareTrancheEvent' : 'withdrawTrancheEvent',
    subject: { type: 'tranche', id: trancheTicker },
    [withdrawalReason === null ? 'after' : 'before']: event,
    reason,
  });
  const percentage = (value: string | null) => (value === null ? null : percentageText(value));
  const shown = { ...event, percent: percentage(event.percent), premiumPercent: percentage(event.premiumPercent) };
  const terms = ([...kindTerms, 'document'] as const).flatMap((term) =>
    shown[term] === null ? [] : [[term, shown[term]] as const],
  );
  const said = { event: entryName(-event.number), kind, date: day, reason, ...Object.fromEntries<unknown>(terms) };
  await announce(tx, {
    topic: `tranche.event_${done}`,
    key: trancheTicker,
    payload: { ownerId: null, data: { trancheTicker, patrimonyTicker, ...said } },
  });
  if (!changesSchedule(kind)) return;
  await raisePolicyVersion(tx, tranche.id);
  await announceBooks(tx, [tranche.id]);
  await reprice(tx, repricer, trancheTicker);
}

/** Returns the terms of an event, with the percentage that makes its amount, and its plan. */
async function plannedBy(
  context: Context,
  planned: Planned,
  terms: EventTerms,
  at: { readonly number: number; readonly calendar: Calendar },
): Promise<{ readonly terms: EventTerms; readonly plan: Plan }> {
  const { amount } = terms;
  if (amount === null) return { terms, plan: planEvent(planned, terms, at) };
  const { after } = planEvent(planned, terms, at);
  const value = new Decimal(amount);
  const { series, rows, events } = planned;
  const { indexer, pricedOn } = series;
  // The nominal value of a day to come is not known where it follows an index.
  if (isPriceIndex(indexer) && (pricedOn === null || terms.day > pricedOn))
    throw new ApiError('CONFLICT', byRule('EVENT_UNPRICED', { index: indexer }));
  const inputs = await loadMarket(context, at.calendar, 'HELD');
  const priceBy = (schedule: readonly ScheduleEntryRow[]) =>
    requirePriced(unitPrice(policyOf(series, schedule), terms.day, inputs));
  const before = priceBy(rows);
  const units = unitsOn(series.tokenQuantity, events, terms.day, at.number);
  const left = truncate(before.vna.minus(before.amortization).times(units), 2);
  if (value.gte(left)) refuse('UNPROCESSABLE', [errorAt('amount', 'EVENT_WHOLE', { left: left.toFixed(2) })]);
  const unit = priceBy(after).amortization.minus(before.amortization).div(leastShare);
  // Not less than the amount, once what a unit pays is truncated.
  const percent = value.div(unit.times(units)).toDecimalPlaces(8, Decimal.ROUND_UP);
  const found = { ...terms, percent: percent.toFixed() };
  return { terms: found, plan: planEvent(planned, { ...found, amount: null }, at) };
}

/** @throws {ApiError} CONFLICT while a published number is missing */
function requirePriced(price: ReturnType<typeof unitPrice>): UnitPriceRow {
  if (!isMissing(price)) return price;
  const { index } = price.missing;
  throw new ApiError('CONFLICT', byRule('EVENT_UNPRICED', { index }));
}

export interface EventPreview {
  readonly event: TrancheEventRow;
  /** Whether a price is published of its day or a later one. */
  readonly isCorrection: boolean;
  /** Payment of the event for all units; null if it pays nothing. */
  readonly value: EntryValue | null;
  readonly prices: readonly { readonly date: string; readonly before: string | null; readonly after: string | null }[];
  /** Payments from the event's day on that change, for all units. */
  readonly payments: readonly {
    readonly number: string;
    readonly dueDate: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  /** Charges of the instalment on that day, for a late payment or waiver. */
  readonly lateCharges: LateCharges | null;
  /** Names of the events that announce it. */
  readonly announces: readonly string[];
}

const mostPrices = 400;

/** Returns the effects of declaring an event, without any change. Rejects what declaring it would reject. */
export function previewEvent(...given: Parameters<typeof previewWithin>): Promise<EventPreview> {
  return withinCalendar(() => previewWithin(...given));
}

async function previewWithin(
  context: Context,
  calendar: Calendar,
  ticker: string,
  given: EventTerms,
): Promise<EventPreview> {
  const reason = requireReason(given.reason);
  const series = requireFound(await findTranche(context, ticker), `There is no series ${ticker}`);
  const [[rows = []], [all = []]] = [await schedulesOf(context, [series.id]), await eventsOf(context, [series.id])];
  const before = plannedOf(series, rows, all);
  const same = sameEvent(before, given);
  const none = { isCorrection: false, value: null, prices: [], payments: [], lateCharges: null, announces: [] };
  if (same !== undefined) return { event: same, ...none };
  const number = all.length + 1;
  const { terms, plan } = await plannedBy(context, before, { ...given, reason }, { number, calendar });
  const { replaced, remaining } = plan;
  const event: TrancheEventRow = {
    ...{ trancheId: series.id, number, ...terms, replaced, remaining },
    ...{ declaredAt: null, withdrawnAt: null, withdrawalReason: null, isPaid: false },
  };
  const after = { series, rows: plan.after, events: [...before.events, event] };
  const inputs = await loadMarket(context, calendar, 'HELD');
  const topic = 'tranche.event_declared';
  if (!changesSchedule(terms.kind))
    return { event, ...none, lateCharges: await chargesWith(context, after, terms, inputs), announces: [topic] };
  const [was, becomes] = [await valuesFrom(before, terms.day, inputs), await valuesFrom(after, terms.day, inputs)];
  const publishedOn = terms.kind === 'PARTIAL_REDEMPTION' ? '' : (series.pricedOn ?? '');
  // A grace changes nothing before the first instalment that it spares.
  const from = terms.kind === 'GRACE' ? (replaced[0]?.calculationDate ?? terms.day) : terms.day;
  const value = becomes.get(-number);
  const late = overdueUntil(civilDate(context.clock.now()), calendar);
  const isLate = plan.put.some(
    (row) => row.installmentNumber === -number && row.interestEvent !== 'INCORPORATED' && row.dueDate <= late,
  );
  return {
    event,
    isCorrection: publishedOn >= from,
    value: value === undefined || value.totalValue === '0.00' ? null : value,
    prices: await changedPrices(before, after, daysFrom(terms.day, series, calendar), inputs),
    payments: changedPayments(before.rows, plan.after, was, becomes),
    lateCharges: null,
    announces: [
      topic,
      ...(publishedOn > from ? ['tranche.unit_price_updated'] : []),
      ...(isLate && value?.totalValue !== '0.00' ? ['payment.overdue'] : []),
    ],
  };
}

/** Returns the day of an event, the next business day, and the days with a published price after it. */
function daysFrom(day: string, { pricedOn }: TrancheRow, calendar: Calendar): string[] {
  const days = [day, calendar.addBusinessDays(day, 1)];
  for (let last = days[1] ?? day; pricedOn !== null && last < pricedOn && days.length < mostPrices;) {
    last = calendar.addBusinessDays(last, 1);
    days.push(last);
  }
  return days;
}

function valuesFrom({ series, rows, events }: Planned, day: string, inputs: UnitPriceInputs): Promise<Projection> {
  const instalments = rows.map((row) =>
    row.calculationDate >= day && row.status !== 'PAID' ? { ...row, interestValue: null } : row,
  );
  return projectInstalments({ series, instalments, events, opening: undefined }, inputs);
}

async function changedPrices(
  before: Planned,
  after: Planned,
  days: readonly string[],
  inputs: UnitPriceInputs,
): Promise<EventPreview['prices']> {
  const [was, becomes] = [pricesOf(before, inputs), pricesOf(after, inputs)];
  const prices: EventPreview['prices'][number][] = [];
  for (const date of days) {
    prices.push({ date, before: was(date), after: becomes(date) });
    await othersFirst();
  }
  return prices;
}

/** Returns the unit price of days in order; null while a number is missing, and once nothing is left. */
function pricesOf({ series, rows }: Planned, inputs: UnitPriceInputs): (day: string) => string | null {
  const policy = policyOf(series, rows);
  let previous: UnitPriceRow | undefined;
  return (day) => {
    if (previous?.nextVne.isZero() === true || day < policy.startDate) return null;
    const row = previous === undefined ? unitPrice(policy, day, inputs) : advance(policy, previous, day, inputs);
    if (isMissing(row)) return null;
    previous = row;
    return row.unitPrice.toFixed(8);
  };
}

function changedPayments(
  rows: readonly ScheduleEntryRow[],
  after: readonly ScheduleEntryRow[],
  was: Projection,
  becomes: Projection,
): EventPreview['payments'] {
  const all = new Map([...rows, ...after].map((row) => [row.installmentNumber, row]));
  return [...all.values()]
    .map(({ installmentNumber, dueDate }) => ({
      number: entryName(installmentNumber),
      dueDate,
      before: was.get(installmentNumber)?.totalValue ?? null,
      after: becomes.get(installmentNumber)?.totalValue ?? null,
    }))
    .filter(({ before, after: then }) => before !== then)
    .sort((one, other) => (one.dueDate < other.dueDate ? -1 : one.dueDate > other.dueDate ? 1 : 0));
}

async function chargesWith(
  context: Context,
  { series, rows, events }: Planned,
  { installmentNumber, day }: EventTerms,
  inputs: UnitPriceInputs,
): Promise<LateCharges | null> {
  const row = rows.find((one) => one.installmentNumber === installmentNumber);
  if (row === undefined) return null;
  const [recorded = []] = await recordedPayments(context, [row]);
  return lateCharges(series, row, paymentsOf(row, recorded), { on: day, events }, inputs);
}
