import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { loadCalendar, type Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal, round, sum } from '../../../shared/kernel/decimal.js';
import { ApiError, refuse, requireFound } from '../../../shared/kernel/errors.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { byRule, errorAt } from '../../../shared/kernel/rule-error.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { loadMarket } from '../indices/load-market.js';
import { policyOf } from '../price-runs/policy-of.js';
import { reprice } from '../price-runs/reprice.js';
import type { Repricer } from '../price-runs/repricer.js';
import { lateCharges } from '../schedule/late-charges.js';
import { paidOf, paymentsOf, type LateCharges } from '../schedule/payment.js';
import { recordedPayments } from '../schedule/schedule-writes.store.js';
import { entryName, schedulesOf, type ScheduleEntryRow } from '../schedule/schedule.store.js';
import { announceBooks } from '../series/book.js';
import {
  findTranche,
  lockTranche,
  raisePolicyVersion,
  type LockedTranche,
  type TrancheRow,
} from '../tranches/tranche.store.js';
import { isMissing } from '../unit-price/missing.js';
import { advance, unitPrice, type UnitPriceInputs, type UnitPriceRow } from '../unit-price/unit-price.js';
import { entryValues, unitsOn, type EntryValue } from './entry-values.js';
import {
  addEvent,
  endEvent,
  eventsOf,
  lockSchedule,
  mostEvents,
  putEntries,
  removeEntries,
  type EventTerms,
  type PlannedInstalment,
  type TrancheEventRow,
} from './event.store.js';
import { planEvent, type Plan, type Planned } from './plan-event.js';

/** An event as an operator states it: an amortization by a percentage, or by an amount for all units in BRL. */
export type GivenEvent = EventTerms & { readonly amount: string | null };

/**
 * Declares an event of a series: its schedule follows, and its prices from the day of the event on. On a day with a published price that is a correction.
 * @throws {ApiError} NOT_FOUND for an unknown ticker, CONFLICT for a series that is DRAFT or CLOSED, UNPROCESSABLE for terms that are not possible
 */
export async function declareEvent(
  context: Context,
  repricer: Repricer,
  ticker: string,
  given: GivenEvent,
): Promise<TrancheEventRow> {
  const reason = requireReason(given.reason);
  return inTransaction(context, async (tx) => {
    const tranche = await lockTranche(tx, ticker);
    const calendar = await loadCalendar(tx.manager);
    const [all = []] = await eventsOf(tx, [tranche.id]);
    const planned = plannedOf(tranche, await lockSchedule(tx, tranche.id), all);
    const number = all.length + 1;
    const terms = await termsOf(tx, planned, { ...given, reason }, calendar);
    const plan = planEvent(planned, terms, number, calendar);
    await removeEntries(tx, tranche.id, plan.ended);
    await putEntries(tx, tranche.id, plan.put);
    const event = eventOf(tranche.id, number, terms, plan);
    await addEvent(tx, event);
    await conclude(tx, repricer, tranche, event, 'tranche.event_declared');
    return storedEvent(tx, tranche.id, number);
  });
}

/**
 * Withdraws an event of which nothing is paid: its schedule is what it was before.
 * @throws {ApiError} NOT_FOUND for an unknown event, CONFLICT for one that was withdrawn or paid, or that another one follows
 */
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
    const later = events.find((one) => one.number > number && one.day >= event.day && changesSchedule(one));
    if (later !== undefined && changesSchedule(event))
      throw new ApiError('CONFLICT', byRule('EVENT_LATER', { number: entryName(-later.number) }));
    const own = new Set([-number, ...event.replaced.map(({ installmentNumber }) => installmentNumber)]);
    const paid = rows.find((row) => own.has(row.installmentNumber) && new Decimal(paidOf(row).totalValue).gt(0));
    if (paid !== undefined)
      throw new ApiError('CONFLICT', byRule('EVENT_PAID', { number: entryName(paid.installmentNumber) }));
    await removeEntries(tx, tranche.id, [-number]);
    await putEntries(tx, tranche.id, event.replaced);
    await endEvent(tx, event, said);
    await conclude(tx, repricer, tranche, { ...event, reason: said }, 'tranche.event_withdrawn');
    return storedEvent(tx, tranche.id, number);
  });
}

const changesSchedule = ({ kind }: EventTerms) => kind !== 'LATE_PAYMENT' && kind !== 'WAIVER';

/** @throws {ApiError} CONFLICT for a series without obligations, or with the most events */
function plannedOf(series: TrancheRow, rows: readonly ScheduleEntryRow[], all: readonly TrancheEventRow[]): Planned {
  if (series.status !== 'ACTIVE' && series.status !== 'FUNDRAISING')
    throw new ApiError('CONFLICT', byRule('EVENT_STATUS', { ticker: series.ticker, status: series.status }));
  if (all.length >= mostEvents) throw new ApiError('CONFLICT', byRule('EVENT_MOST', { most: mostEvents }));
  return { series, rows, events: all.filter(({ withdrawnAt }) => withdrawnAt === null) };
}

function eventOf(trancheId: string, number: number, terms: EventTerms, { replaced, remaining }: Plan) {
  const isMadeOfThem = terms.premiumRule === 'YEARLY' || terms.premiumRule === 'MAKE_WHOLE';
  return {
    trancheId,
    number,
    ...terms,
    replaced: replaced.map(plannedInstalment),
    remaining: isMadeOfThem ? remaining.map(plannedInstalment) : [],
  };
}

function plannedInstalment(row: ScheduleEntryRow): PlannedInstalment {
  const { installmentNumber, calculationDate, dueDate, interestEvent, amortizationPercentage } = row;
  const { interestPercentage, principalPercentage } = row;
  return {
    ...{ installmentNumber, calculationDate, dueDate, interestEvent, amortizationPercentage },
    ...{ interestPercentage, principalPercentage },
  };
}

async function conclude(
  tx: Context,
  repricer: Repricer,
  tranche: LockedTranche,
  event: EventTerms & Pick<TrancheEventRow, 'number' | 'replaced'>,
  topic: 'tranche.event_declared' | 'tranche.event_withdrawn',
): Promise<void> {
  const { number, kind, day, reason, document } = event;
  const declared = topic === 'tranche.event_declared';
  const subject = { type: 'tranche', id: tranche.ticker };
  await recordAudit(tx, {
    action: declared ? 'declareTrancheEvent' : 'withdrawTrancheEvent',
    subject,
    ...(declared ? { after: event } : { before: event }),
    reason,
  });
  const { ticker: trancheTicker, patrimonyTicker } = tranche;
  const said = { event: entryName(-number), kind, date: day, reason, ...(document === null ? {} : { document }) };
  await announce(tx, {
    topic,
    key: trancheTicker,
    payload: { ownerId: null, data: { trancheTicker, patrimonyTicker, ...said } },
  });
  if (!changesSchedule(event)) return;
  await raisePolicyVersion(tx, tranche.id);
  await announceBooks(tx, [tranche.id]);
  await reprice(tx, repricer, tranche.ticker);
}

async function storedEvent(tx: Context, trancheId: string, number: number): Promise<TrancheEventRow> {
  const [events = []] = await eventsOf(tx, [trancheId]);
  return requireFound(
    events.find((event) => event.number === number),
    'There is no such event',
  );
}

/** Returns the terms of an event, with the percentage that makes its amount. */
async function termsOf(
  context: Context,
  planned: Planned,
  { amount, ...terms }: GivenEvent,
  calendar: Calendar,
): Promise<EventTerms> {
  if (amount === null) return terms;
  if (
    terms.percent !== null ||
    terms.kind !== 'EXTRA_AMORTIZATION' ||
    !new Decimal(amount).gt(0) ||
    new Decimal(amount).dp() > 2
  )
    refuse('UNPROCESSABLE', [errorAt('amount', 'EVENT_AMOUNT')]);
  const probe = { ...terms, percent: '0.001' };
  const { after } = planEvent(planned, probe, mostEvents + 1, calendar);
  const { series, rows, events } = planned;
  const inputs = await loadMarket(context, calendar, 'HELD');
  const amortizedBy = (schedule: readonly ScheduleEntryRow[]) =>
    requirePriced(unitPrice(policyOf(series, schedule), terms.day, inputs)).amortization;
  const unit = amortizedBy(after).minus(amortizedBy(rows)).div(probe.percent);
  const percent = round(new Decimal(amount).div(unit.times(unitsOn(series.tokenQuantity, events, terms.day))), 8);
  return { ...terms, percent: percent.toFixed() };
}

/** @throws {ApiError} CONFLICT while a published number is missing */
function requirePriced(price: ReturnType<typeof unitPrice>): UnitPriceRow {
  if (!isMissing(price)) return price;
  const { index } = price.missing;
  throw new ApiError('CONFLICT', byRule('EVENT_UNPRICED', { index }));
}

/** What an event would change. */
export interface EventPreview {
  readonly event: EventTerms & Pick<TrancheEventRow, 'number'>;
  /** Whether a price is published of its day or a later one. */
  readonly isCorrection: boolean;
  /** What it pays for all units; null for one that pays nothing. */
  readonly value: EntryValue | null;
  /** Unit prices from its day on. */
  readonly prices: readonly { readonly date: string; readonly before: string | null; readonly after: string | null }[];
  /** What is paid from its day on and changes, for all units. */
  readonly payments: readonly {
    readonly number: string;
    readonly dueDate: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  /** Those of the instalment on that day, of a late payment or waiver. */
  readonly lateCharges: LateCharges | null;
  /** Names of the events that tell it. */
  readonly announces: readonly string[];
}

/** Most prices of a preview. */
const mostPrices = 400;

/** Returns what declaring an event would change, and changes nothing. Refuses what declaring it refuses. */
export async function previewEvent(
  context: Context,
  calendar: Calendar,
  ticker: string,
  given: GivenEvent,
): Promise<EventPreview> {
  const reason = requireReason(given.reason);
  const series = requireFound(await findTranche(context, ticker), `There is no series ${ticker}`);
  const [[rows = []], [all = []]] = [await schedulesOf(context, [series.id]), await eventsOf(context, [series.id])];
  const before = plannedOf(series, rows, all);
  const number = all.length + 1;
  const terms = await termsOf(context, before, { ...given, reason }, calendar);
  const plan = planEvent(before, terms, number, calendar);
  const declared = { ...eventOf(series.id, number, terms, plan), isPaid: false };
  const event = { ...declared, declaredAt: context.clock.now(), withdrawnAt: null, withdrawalReason: null };
  const after = { series, rows: plan.after, events: [...before.events, event] };
  const inputs = await loadMarket(context, calendar, 'HELD');
  const published = series.pricedOn !== null && series.pricedOn >= terms.day;
  const [was, becomes] = [valuesFrom(before, terms.day, inputs), valuesFrom(after, terms.day, inputs)];
  return {
    event: { ...terms, number },
    isCorrection: published && changesSchedule(terms),
    value: becomes.values.get(-number) ?? null,
    prices: changesSchedule(terms)
      ? changedPrices(was.prices, becomes.prices, daysFrom(terms.day, series, calendar))
      : [],
    payments: changedPayments(before.rows, plan.after, was.values, becomes.values),
    lateCharges: changesSchedule(terms) ? null : await chargesWith(context, after, terms, inputs),
    announces: [
      'tranche.event_declared',
      ...(published && changesSchedule(terms) ? ['tranche.unit_price_updated'] : []),
    ],
  };
}

/** Returns the day of an event, the next business day, and the days with a published price after it. */
function daysFrom(day: string, { pricedOn }: TrancheRow, calendar: Calendar): string[] {
  const days = [day];
  let next = calendar.addBusinessDays(day, 1);
  do {
    days.push(next);
    next = calendar.addBusinessDays(next, 1);
  } while (pricedOn !== null && next <= pricedOn && days.length < mostPrices);
  return days;
}

interface Valued {
  /** Returns the unit price of a later day than before; undefined while a number is missing, and once nothing is left. */
  readonly prices: (day: string) => UnitPriceRow | undefined;
  readonly values: ReadonlyMap<number, EntryValue>;
}

/** Values the rows of a schedule from a day on that are not paid. */
function valuesFrom({ series, rows, events }: Planned, day: string, inputs: UnitPriceInputs): Valued {
  const policy = policyOf(series, rows);
  const priced = () => {
    let previous: UnitPriceRow | undefined;
    return (on: string) => {
      if (previous?.nextVne.isZero() === true || on < policy.startDate) return undefined;
      if (previous?.date === on) return previous;
      const row = previous === undefined ? unitPrice(policy, on, inputs) : advance(policy, previous, on, inputs);
      if (isMissing(row)) return undefined;
      previous = row;
      return row;
    };
  };
  const due = groupBy(
    rows.filter(({ calculationDate, status }) => calculationDate >= day && status !== 'PAID'),
    ({ calculationDate }) => calculationDate,
  );
  const priceOf = priced();
  const values = [...due.keys()].flatMap((on) => {
    const price = priceOf(on);
    const ofDay = rows.filter(({ calculationDate }) => calculationDate === on);
    return price === undefined ? [] : entryValues(price, { rows: ofDay, series, events }, inputs.calendar);
  });
  return { prices: priced(), values: new Map(values.map((value) => [value.installmentNumber, value])) };
}

function changedPrices(
  was: Valued['prices'],
  becomes: Valued['prices'],
  days: readonly string[],
): EventPreview['prices'] {
  const shown = (price: UnitPriceRow | undefined) => price?.unitPrice.toFixed(8) ?? null;
  return days.map((date) => ({ date, before: shown(was(date)), after: shown(becomes(date)) }));
}

function changedPayments(
  rows: readonly ScheduleEntryRow[],
  after: readonly ScheduleEntryRow[],
  was: Valued['values'],
  becomes: Valued['values'],
): EventPreview['payments'] {
  const totalOf = (value: EntryValue | undefined) =>
    value === undefined ? null : sum([value.interestValue, value.principalValue, value.premiumValue]).toFixed(2);
  const all = new Map([...rows, ...after].map((row) => [row.installmentNumber, row]));
  return [...all.values()]
    .map(({ installmentNumber, dueDate }) => ({
      number: entryName(installmentNumber),
      dueDate,
      before: totalOf(was.get(installmentNumber)),
      after: totalOf(becomes.get(installmentNumber)),
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
