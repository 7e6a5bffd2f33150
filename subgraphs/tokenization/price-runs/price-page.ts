import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { type MissingInput, isMissing } from '../unit-price/missing.js';
import { type UnitPriceInputs, type UnitPriceRow, advance, unitPrice } from '../unit-price/unit-price.js';
import type { StoredUnitPriceRow } from '../unit-price/stored-row.js';
import {
  readEvents,
  readOpenings,
  readStoredRows,
  type DueSeries,
  type VersionedPrice,
  type NewPrice,
  type PricedSeries,
} from './price-run.store.js';
import { policyOf, type EventColumns } from './policy-of.js';
import { entryValues } from '../events/entry-values.js';
import { standingEvents, type TrancheEventRow } from '../events/event.store.js';
import { sameDigits, toKeptRow } from './unit-price.columns.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { UnitPricePolicy } from '../unit-price/policy.js';

/** A series that cannot be priced because its stored data is invalid. */
export interface FaultySeries {
  readonly ticker: string;
  readonly error: RangeError;
}

/** Prices locked series up to a day, in four queries for any number of series. Requests are served between two prices. */
export async function pricePage(tx: Context, page: readonly DueSeries[], inputs: UnitPriceInputs, to: string) {
  const openings = await readOpenings(tx, page);
  const begin = ({ id, remunerationStartDate: start }: DueSeries) => ({ id, from: openings.get(id)?.date ?? start });
  // The last row does not say which part of the issue value was incorporated before it.
  const wholly = ({ id, remunerationStartDate: from }: DueSeries) => ({ id, from });
  const events = await readEvents(
    tx,
    page.map((series) => (series.amortizationOf === 'ISSUE_VALUE' ? wholly(series) : begin(series))),
    to,
  );
  const stored = await readStoredRows(tx, page.map(begin), to);
  const declared = await standingEvents(
    tx,
    page.map(({ id }) => id),
  );
  const priced: PricedSeries[] = [];
  const faulty: FaultySeries[] = [];
  for (const [index, series] of page.entries()) {
    const { id, ticker } = series;
    try {
      const known = { opening: openings.get(id), events: events.get(id) ?? [], stored: stored.get(id) ?? [], to };
      priced.push(await priceSeries(series, { ...known, declared: declared[index] ?? [] }, inputs));
    } catch (error) {
      // One invalid series must not prevent the pricing of the others.
      if (!(error instanceof RangeError)) throw error;
      faulty.push({ ticker, error });
    }
  }
  return { priced, faulty };
}

interface Known {
  readonly opening: UnitPriceRow | undefined;
  readonly events: readonly EventColumns[];
  readonly stored: readonly VersionedPrice[];
  readonly declared: readonly TrancheEventRow[];
  readonly to: string;
}

async function priceSeries(series: DueSeries, known: Known, inputs: UnitPriceInputs): Promise<PricedSeries> {
  const versions = new Map(known.stored.map((row) => [row.date, row]));
  const paying = groupBy(known.events, ({ calculationDate }) => calculationDate);
  const stretch: Stretch = {
    policy: policyOf(series, known.events),
    opening: known.opening && { ...known.opening, calendarVersion: inputs.calendar.version },
    to: known.to,
    stored: new Set(versions.keys()),
  };
  const prices: NewPrice[] = [];
  const values: PricedSeries['values'][number][] = [];
  let newest: StoredUnitPriceRow | undefined;
  const days = priceDays(stretch, inputs);
  let next = days.next();
  for (; next.done !== true; next = days.next()) {
    newest = toKeptRow(next.value);
    const before = versions.get(newest.date);
    if (before === undefined || !sameDigits(before, newest))
      prices.push({ version: (before?.version ?? 0) + 1, row: newest });
    const rows = paying.get(newest.date) ?? [];
    values.push(...entryValues(next.value, { rows, series, events: known.declared }, inputs.calendar));
    await othersFirst();
  }
  const { missing, paidOff } = next.value;
  return {
    series,
    prices,
    values,
    through: paidOff ? 'infinity' : missing === undefined ? known.to : (newest?.date ?? series.pricedThrough),
    missing: missing === undefined ? null : inWords(missing),
    newest: newest !== undefined && isNews(series, newest, paidOff) ? newest : undefined,
  };
}

function isNews(series: DueSeries, newest: StoredUnitPriceRow, paidOff: boolean): boolean {
  if (series.showsRepaid) return false;
  if (series.pricedOn !== null && newest.date < series.pricedOn && !paidOff) return false;
  const { pricedOn, unitPrice, nominalValue, interest, projected } = series;
  return (
    newest.date !== pricedOn ||
    newest.unitPrice !== unitPrice ||
    newest.vna !== nominalValue ||
    newest.interestJ !== interest ||
    newest.projected !== projected
  );
}

function inWords(missing: MissingInput): string {
  return missing.index === 'DI' ? `DI ${missing.day}` : `${missing.index} ${missing.month}`;
}

interface Stretch {
  readonly policy: UnitPricePolicy;
  /** The last valid row; undefined to begin at the start of the series. */
  readonly opening: UnitPriceRow | undefined;
  readonly to: string;
  /** Days after the opening that already have a row: they are priced again, even if they are no business days. */
  readonly stored: ReadonlySet<string>;
}

/** Why the pricing of a stretch ended before its last day, if it did. */
export interface StretchEnd {
  /** The first number that the next day lacks. */
  readonly missing?: MissingInput;
  /** No principal is left: no later day needs a price. */
  readonly paidOff: boolean;
}

/** Computes business days and the days of events, up to the day on which it is paid off. The caller may do other work between two days. @throws {RangeError} for an invalid policy or an uncovered day */
function* priceDays(stretch: Stretch, inputs: UnitPriceInputs): Generator<UnitPriceRow, StretchEnd> {
  const { policy, stored } = stretch;
  let { opening: previous } = stretch;
  let paidOff = previous?.nextVne.isZero() === true;
  for (const day of daysOf(stretch, inputs.calendar)) {
    if (paidOff && !stored.has(day)) continue;
    const row = previous === undefined ? unitPrice(policy, day, inputs) : advance(policy, previous, day, inputs);
    if (isMissing(row)) return { missing: row.missing, paidOff: false };
    yield row;
    previous = row;
    paidOff ||= row.nextVne.isZero();
  }
  return { paidOff };
}

function daysOf({ policy, opening, to, stored }: Stretch, calendar: Calendar): string[] {
  const begins = (day: string) => (opening === undefined ? day >= policy.startDate : day > opening.date);
  const days = [...policy.events.map(({ calculationDate }) => calculationDate), ...stored];
  let day = calendar.following(opening?.date ?? policy.startDate);
  for (; day <= to; day = calendar.addBusinessDays(day, 1)) days.push(day);
  return [...new Set(days)].filter((each) => begins(each) && each <= to).sort();
}
