import type { Calendar } from '../../../shared/calendar/calendar.js';
import { Decimal } from '../../../shared/decimal.js';
import { policyOf, type PolicyColumns } from '../price-runs/policy-of.js';
import { countedDays, dayCounts } from '../unit-price/day-count.js';
import { dailyRate } from '../unit-price/di-factor.js';
import { indexBases, indexProRatas } from '../unit-price/index-bases.js';
import { indexMonths, monthFactor } from '../unit-price/price-index-factor.js';
import type { DiIndexer, Indexer, PriceIndex, PriceIndexer } from '../unit-price/policy.js';

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
  /** As published: percent a year, or the index number. */
  readonly value: string;
  readonly version: number;
  readonly recordedAt: Date;
}

/** Finds the value of an index for a day, or for a month by its first day, as known when a price was computed. */
export type FindUsed = (index: 'DI' | PriceIndex, date: string) => UsedValue | undefined;

/** A DI rate that a price uses. */
export interface UsedRate extends UsedValue {
  /** TDI of the day, 8 decimals. */
  readonly dailyRate: string;
}

/** A month of a price index, or part of it, that a price uses. */
export interface UsedMonth {
  readonly from: string;
  readonly to: string;
  readonly elapsedDays: number;
  readonly totalDays: number;
  readonly number: UsedValue | null;
  readonly previousNumber: UsedValue | null;
  /** 8 decimals; null if a number is no longer known. */
  readonly factor: string | null;
}

/** The policy of a price, the market values that it uses, and its rules in words. */
export interface Inputs {
  readonly countedDays: number;
  readonly yearDays: number;
  readonly diRates: readonly UsedRate[];
  readonly indexMonths: readonly UsedMonth[];
  readonly rules: readonly string[];
}

/** Returns the inputs of a price besides the values stored in its row. */
export function inputsOf(policy: PolicyColumns, price: PricedDay, calendar: Calendar, find: FindUsed): Inputs {
  const { indexer, dayCount } = policyOf(policy, []);
  return {
    countedDays: countedDays(dayCount, price),
    yearDays: dayCounts[dayCount].yearDays,
    diRates: indexer.kind === 'DI' ? ratesOf(indexer, price, calendar, find) : [],
    indexMonths: indexer.kind === 'PRICE_INDEX' ? monthsOf(indexer, price, calendar, find) : [],
    rules: rulesOf(policy, indexer),
  };
}

/** Yields the days whose DI rates a price accrues, oldest first: the business days since the accrual began, shifted by the lag. */
export function* diDays({ lagBusinessDays }: DiIndexer, price: PricedDay, calendar: Calendar): Generator<string> {
  const first = calendar.following(price.accrualStart);
  for (let index = 0; index < price.businessDays; index++)
    yield calendar.addBusinessDays(first, index - lagBusinessDays);
}

function ratesOf(indexer: DiIndexer, price: PricedDay, calendar: Calendar, find: FindUsed): UsedRate[] {
  return [...diDays(indexer, price, calendar)].flatMap((day) => {
    const used = find('DI', day);
    return used === undefined ? [] : [{ ...used, dailyRate: dailyRate(new Decimal(used.value)).toFixed(8) }];
  });
}

function monthsOf(indexer: PriceIndexer, price: PricedDay, calendar: Calendar, find: FindUsed): UsedMonth[] {
  const period = { from: price.indexStart, to: price.date };
  return [...indexMonths(indexer, period, calendar)].map(({ start, end, elapsed, total, current, previous }) => {
    const number = find(indexer.index, `${current}-01`) ?? null;
    const previousNumber = find(indexer.index, `${previous}-01`) ?? null;
    const factor =
      number === null || previousNumber === null
        ? null
        : monthFactor(new Decimal(number.value).div(previousNumber.value), elapsed, total).toFixed(8);
    return { from: start, to: end, elapsedDays: elapsed, totalDays: total, number, previousNumber, factor };
  });
}

/** Describes the rules of a policy in words, in the order of the computation. */
export function rulesOf(
  { dayCount, amortizationOf }: Pick<PolicyColumns, 'dayCount' | 'amortizationOf'>,
  indexer: Indexer,
): string[] {
  const { basis, yearDays } = dayCounts[dayCount];
  return [
    ...indexRules(indexer),
    `spreadFactor = (1 + rate/100)^(days/${String(yearDays)}), rounded at 9 decimals; days are the ${basis === 'BUS252' ? 'business' : 'calendar'} days from accrualStart (included) to the day of the price (excluded)`,
    'interestFactor = diFactor × spreadFactor, rounded at 9 decimals',
    'nominalValue = baseValue × indexFactor, truncated at 8 decimals; baseValue is the issue value less what instalments have amortized, and includes the index up to indexStart where the base rule says so',
    'interestJ = nominalValue × (interestFactor - 1), truncated at 8 decimals; unitPrice = nominalValue + interestJ, before what is paid on the day',
    amortizationOf === 'BALANCE'
      ? 'An instalment amortizes a percentage of nominalValue'
      : 'An instalment amortizes a percentage of the issue value times indexFactor',
  ];
}

function indexRules(indexer: Indexer): string[] {
  if (indexer.kind === 'DI') {
    return [
      `DI: each business day since accrualStart counts with the rate of ${rateDayInWords(indexer.lagBusinessDays)}`,
      `diFactor: each day counts with 1 + TDI × ${indexer.percentage.toString()}/100, truncated at 16 decimals, with TDI = (1 + rate/100)^(1/252) - 1, rounded at 8; diProduct is their product, truncated at 16 after each day; diFactor is diProduct rounded at 8`,
    ];
  }
  if (indexer.kind === 'PRICE_INDEX') {
    return [
      `Lag: the month that ends at an anniversary takes the index number ${lagMonthInWords(indexer.lagMonths)} divided by that of the month before it; anniversaries are on day ${String(indexer.anniversaryDay)}`,
      `Pro rata: ${indexProRatas[indexer.proRata]}`,
      `Base: ${indexBases[indexer.base]}`,
      'indexFactor: each month counts with (number/previousNumber)^(elapsedDays/totalDays), truncated at 8 decimals; indexFactor is their product, truncated at 8',
    ];
  }
  return [];
}

/** Describes which day's DI rate applies to a day. */
function rateDayInWords(lagBusinessDays: number): string {
  if (lagBusinessDays === 0) return 'that day';
  return lagBusinessDays === 1
    ? 'the business day before it'
    : `the day ${String(lagBusinessDays)} business days before it`;
}

/** Describes which month's index number applies at an anniversary. */
function lagMonthInWords(lagMonths: number): string {
  if (lagMonths === 0) return "of the anniversary's month";
  return lagMonths === 1
    ? "of the month before the anniversary's"
    : `of ${String(lagMonths)} months before the anniversary's month`;
}
