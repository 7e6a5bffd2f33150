import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, round } from '../../../shared/kernel/decimal.js';
import { isUpdate, updatesBetween } from './anniversaries.js';
import { compose, interestFactor } from './compose.js';
import { countedDays, daysBetween, dayCounts, type DayCount } from '../../securities/day-count.js';
import { roundDiFactor, type DiTable } from './di-factor.js';
import { isMissing, type Missing } from './missing.js';
import { requirePolicy, type UnitPricePolicy } from './policy.js';
import {
  priceIndexFactorBetween,
  type IndexFactor,
  type IndexNumbers,
  type IndexProjections,
} from './price-index-factor.js';
import { restartsIndex, settle, type DayEvents } from './settle.js';
import { power } from './power.js';

/** A unit price with all its components. Values in reais for one unit; days are `YYYY-MM-DD`. */
export interface UnitPriceRow {
  readonly date: string;
  /** The day from which interest accrues: the start, or the last event that paid or incorporated it. */
  readonly accrualStart: string;
  /** The day from which `indexFactor` runs, and whose price level `vne` is in. Depends on the policy's base. */
  readonly indexStart: string;
  readonly calendarVersion: number;
  /** Days from `accrualStart` (included) to `date` (excluded). */
  readonly businessDays: number;
  readonly calendarDays: number;
  /** Nominal value, 8 decimals. */
  readonly vne: Decimal;
  /** C, 8 decimals; 1 without a price index. */
  readonly indexFactor: Decimal;
  /** Whether a projection is part of `indexFactor`, in place of an index number that was not published. */
  readonly projected: boolean;
  /** Updated nominal value: the clean price, 8 decimals. */
  readonly vna: Decimal;
  /** Running product of DI, 16 decimals, which the next day continues. 1 without DI. */
  readonly diProduct: Decimal;
  /** The running product rounded at 8 decimals. */
  readonly diFactor: Decimal;
  /** 9 decimals, as is `interestFactor`. */
  readonly spreadFactor: Decimal;
  readonly interestFactor: Decimal;
  /** Accrued interest, 8 decimals. */
  readonly interestJ: Decimal;
  /** Dirty price, before any payment of the day, 8 decimals. */
  readonly unitPrice: Decimal;
  /** Amortization by the day's event, exact; 0 on a day without one. */
  readonly amortization: Decimal;
  /** Payment by the day's event, exact. */
  readonly payment: Decimal;
  /** Nominal value at the start of the next day, 8 decimals. */
  readonly nextVne: Decimal;
}

/** Published market values, and the calendar. */
export interface UnitPriceInputs {
  readonly calendar: Calendar;
  readonly di: DiTable;
  readonly indexNumbers: IndexNumbers;
  /** None where they are absent. */
  readonly projections?: IndexProjections;
}

/** State of the accrual of a series: enough to price any later day. */
interface Accrual {
  readonly start: string;
  readonly indexStart: string;
  readonly vne: Decimal;
  /** The base of amortizations of the issue value: the nominal value of the start, or of the last incorporation. */
  readonly issueValue: Decimal;
  /** The day up to which `diProduct` runs. */
  readonly reached: string;
  readonly diProduct: Decimal;
}

const one = new Decimal(1);

/** Computes a price from the policy's start, or returns the first published number that is missing. @throws {RangeError} for an invalid policy, a day before its start, or one that the calendar does not cover */
export function unitPrice(policy: UnitPricePolicy, date: string, inputs: UnitPriceInputs): UnitPriceRow | Missing {
  requirePolicy(policy);
  const { startDate: start, issueValue } = policy;
  if (date < start) throw new RangeError(`The series starts on ${start}: it has no price on ${date}`);
  const opening = { start, indexStart: start, vne: issueValue, issueValue, reached: start, diProduct: one };
  return walk(policy, opening, date, inputs);
}

/** Computes the same digits as `unitPrice`. Starts over for another calendar version, and where a base of amortization is not in the row. @throws {RangeError} for a day not later, or not covered */
export function advance(
  policy: UnitPricePolicy,
  previous: UnitPriceRow,
  date: string,
  inputs: UnitPriceInputs,
): UnitPriceRow | Missing {
  if (date <= previous.date) throw new RangeError(`${date} is not later than ${previous.date}`);
  if (previous.calendarVersion !== inputs.calendar.version || incorporatesIssueValue(policy))
    return unitPrice(policy, date, inputs);
  return walk(policy, accrualAfter(policy, previous, policy.issueValue, inputs.calendar), date, inputs);
}

const incorporatesIssueValue = ({ amortizationOf, events }: UnitPricePolicy): boolean =>
  amortizationOf === 'ISSUE_VALUE' && events.some(({ interest }) => interest === 'INCORPORATED');

/** Processes the days in between that change the accrual: events, and anniversaries that update the base. */
function walk(
  policy: UnitPricePolicy,
  opening: Accrual,
  date: string,
  inputs: UnitPriceInputs,
): UnitPriceRow | Missing {
  let accrual = opening;
  for (const day of turnsBetween(policy, opening.reached, date, inputs.calendar)) {
    const row = priceOn(policy, accrual, day, inputs);
    if (isMissing(row)) return row;
    accrual = accrualAfter(policy, row, accrual.issueValue, inputs.calendar);
  }
  return priceOn(policy, accrual, date, inputs);
}

function turnsBetween(policy: UnitPricePolicy, from: string, to: string, calendar: Calendar): string[] {
  const events = policy.events.flatMap(({ calculationDate: day, interest }) =>
    day > from && day < to && interest !== 'ACCRUED' ? [day] : [],
  );
  const updates = updatesBetween(policy, from, to, calendar);
  return updates.length === 0 ? events : [...new Set([...events, ...updates])].sort();
}

function priceOn(
  policy: UnitPricePolicy,
  accrual: Accrual,
  date: string,
  inputs: UnitPriceInputs,
): UnitPriceRow | Missing {
  const index = indexFactorOn(policy, accrual, date, inputs);
  if (isMissing(index)) return index;
  const diProduct = diProductOn(policy, accrual, date, inputs);
  if (isMissing(diProduct)) return diProduct;
  const days = daysBetween(accrual.start, date, inputs.calendar);
  const factors = {
    diFactor: roundDiFactor(diProduct),
    spreadFactor: spreadFactor(policy.rate, policy.dayCount, countedDays(policy.dayCount, days)),
  };
  const interest = interestFactor(factors.diFactor, factors.spreadFactor);
  const base = { vne: accrual.vne, indexFactor: index.factor, interestFactor: interest };
  const unit = { ...base, ...compose(base) };
  return {
    date,
    accrualStart: accrual.start,
    indexStart: accrual.indexStart,
    calendarVersion: inputs.calendar.version,
    ...days,
    projected: index.projected,
    diProduct,
    ...factors,
    ...unit,
    ...settle({ ...policy, issueValue: accrual.issueValue }, unit, eventsOf(policy, date, inputs.calendar)),
  };
}

function indexFactorOn(
  { indexer }: UnitPricePolicy,
  { indexStart: from }: Accrual,
  to: string,
  inputs: UnitPriceInputs,
): IndexFactor | Missing {
  if (indexer.kind !== 'PRICE_INDEX') return { factor: one, projected: false };
  return priceIndexFactorBetween(indexer, { from, to }, inputs);
}

function diProductOn(
  { indexer }: UnitPricePolicy,
  { reached, diProduct: product }: Accrual,
  to: string,
  { di }: UnitPriceInputs,
): Decimal | Missing {
  return indexer.kind === 'DI' ? di.accrue({ ...indexer, from: reached, to, product }) : one;
}

function eventsOf(policy: UnitPricePolicy, date: string, calendar: Calendar): DayEvents {
  const event = policy.events.find(({ calculationDate }) => calculationDate === date);
  return { event, isUpdate: isUpdate(policy, date, calendar) };
}

/** Returns the accrual after a row: a new one after an event, else the same one advanced to that day. @param issueValue the issue value of the accrual before */
function accrualAfter(policy: UnitPricePolicy, row: UnitPriceRow, issueValue: Decimal, calendar: Calendar): Accrual {
  const { date, accrualStart, nextVne: vne, diProduct } = row;
  const day = eventsOf(policy, date, calendar);
  const indexStart = restartsIndex(policy.indexer, day) ? date : row.indexStart;
  return day.event === undefined || day.event.interest === 'ACCRUED'
    ? { start: accrualStart, indexStart, vne, issueValue, reached: date, diProduct }
    : {
        start: date,
        indexStart,
        vne,
        issueValue: day.event.interest === 'INCORPORATED' ? vne : issueValue,
        reached: date,
        diProduct: one,
      };
}

/** Returns `round((1 + rate/100)^(days/year), 9)`. @param rate percent a year @param days business days for BUS252, calendar days else */
export function spreadFactor(rate: Decimal, dayCount: DayCount, days: number): Decimal {
  return round(power(rate.div(100).plus(1), new Decimal(days).div(dayCounts[dayCount].yearDays)), 9);
}
