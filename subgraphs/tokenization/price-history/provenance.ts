import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { Locale } from '../../../shared/graphql/labels.js';
import { policyOf, type PolicyColumns } from '../price-runs/policy-of.js';
import { countedDays, dayCounts } from '../../securities/day-count.js';
import { dailyRate } from '../unit-price/di-factor.js';
import { indexMonths, monthFactor, projectedNumber, projectionOn } from '../unit-price/price-index-factor.js';
import type { DiIndexer, PriceIndex, PriceIndexer } from '../unit-price/policy.js';
import { rulesOf } from './price-rules.js';

/** The fields of a price that determine its inputs. Days are `YYYY-MM-DD`. */
export interface PricedDay {
  readonly date: string;
  readonly accrualStart: string;
  readonly indexStart: string;
  readonly businessDays: number;
  readonly calendarDays: number;
}

/** A published number, in the version that a price uses. */
export interface UsedValue {
  readonly date: string;
  /** Value as published: percent a year, or the index number. */
  readonly value: string;
  readonly version: number;
  readonly recordedAt: Date;
  readonly publishedOn: string;
}

/** A projection of the index number of a month, in the version that a price uses. */
export interface UsedProjection extends Omit<UsedValue, 'value'> {
  /** Percent of the month, 8 decimals. */
  readonly percent: string;
  readonly source: string;
}

export interface KnownValues {
  /** Returns the value of an index for a day, or for a month by its first day. */
  readonly find: (index: 'DI' | PriceIndex, date: string) => UsedValue | undefined;
  /** Returns the projections of a month, by its first day; by their days of publication, oldest first. */
  readonly projections: (index: PriceIndex, date: string) => readonly UsedProjection[];
}

export interface UsedNumber extends UsedValue {
  /** Projection of the number, if it was projected; `version`, `recordedAt` and `publishedOn` then belong to the projection. */
  readonly projection: Pick<UsedProjection, 'percent' | 'source'> | null;
}

export interface UsedRate extends UsedValue {
  /** TDI of the day, 8 decimals. */
  readonly dailyRate: string;
}

export interface UsedMonth {
  readonly from: string;
  readonly to: string;
  readonly elapsedDays: number;
  readonly totalDays: number;
  readonly number: UsedNumber | null;
  readonly previousNumber: UsedNumber | null;
  /** 8 decimals; null if a number is no longer known. */
  readonly factor: string | null;
}

export interface Inputs {
  readonly countedDays: number;
  readonly yearDays: number;
  readonly diRates: readonly UsedRate[];
  readonly indexMonths: readonly UsedMonth[];
  readonly rules: (locale: Locale) => readonly string[];
}

/** Returns the inputs of a price besides the values stored in its row. */
export function inputsOf(policy: PolicyColumns, price: PricedDay, calendar: Calendar, known: KnownValues): Inputs {
  const { indexer, dayCount } = policyOf(policy, []);
  return {
    countedDays: countedDays(dayCount, price),
    yearDays: dayCounts[dayCount].yearDays,
    diRates: indexer.kind === 'DI' ? ratesOf(indexer, price, calendar, known) : [],
    indexMonths: indexer.kind === 'PRICE_INDEX' ? monthsOf(indexer, price, calendar, known) : [],
    rules: (locale) => rulesOf(policy, indexer, locale),
  };
}

/** Yields the days whose DI rates a price accrues, oldest first: the business days since the accrual began, shifted by the lag. */
export function* diDays({ lagBusinessDays }: DiIndexer, price: PricedDay, calendar: Calendar): Generator<string> {
  const first = calendar.following(price.accrualStart);
  for (let index = 0; index < price.businessDays; index++)
    yield calendar.addBusinessDays(first, index - lagBusinessDays);
}

function ratesOf(indexer: DiIndexer, price: PricedDay, calendar: Calendar, { find }: KnownValues): UsedRate[] {
  return [...diDays(indexer, price, calendar)].flatMap((day) => {
    const used = find('DI', day);
    return used === undefined ? [] : [{ ...used, dailyRate: dailyRate(new Decimal(used.value)).toFixed(8) }];
  });
}

function monthsOf(indexer: PriceIndexer, price: PricedDay, calendar: Calendar, known: KnownValues): UsedMonth[] {
  const period = { from: price.indexStart, to: price.date };
  return [...indexMonths(indexer, period, calendar)].map(({ start, end, elapsed, total, current, previous }) => {
    const previousNumber = published(known.find(indexer.index, `${previous}-01`));
    const number = numberOn(indexer, `${current}-01`, price.date, previousNumber, known);
    const factor =
      number === null || previousNumber === null
        ? null
        : monthFactor(new Decimal(number.value).div(previousNumber.value), elapsed, total).toFixed(8);
    return { from: start, to: end, elapsedDays: elapsed, totalDays: total, number, previousNumber, factor };
  });
}

function published(value: UsedValue | undefined): UsedNumber | null {
  return value === undefined ? null : { ...value, projection: null };
}

/** Returns the number of a month, by its first day, that the price of a day uses. */
function numberOn(
  { index, projection: clause }: PriceIndexer,
  date: string,
  day: string,
  previous: UsedNumber | null,
  { find, projections }: KnownValues,
): UsedNumber | null {
  const number = find(index, date);
  const month = { numberPublishedOn: number?.publishedOn, projections: projections(index, date) };
  const projection = projectionOn(month, clause, day);
  if (projection === undefined) return published(number);
  if (previous === null) return null;
  const { percent, source, ...version } = projection;
  const value = projectedNumber(new Decimal(previous.value), new Decimal(percent)).toFixed();
  return { ...version, value, projection: { percent, source } };
}
