import { ObjectType } from 'type-graphql';
import type { Shape } from '../../../shared/graphql/shape.js';
import { IndexerEnum } from '../../securities/indexer.js';
import { percentageText } from '../../../shared/kernel/format/format.js';
import { InterestEventEnum, numberOf } from '../schedule/schedule-entry.type.js';
import { IndexBaseEnum, IndexProRataEnum, IndexProjectionEnum } from '../tranches/tranche.type.js';
import { graphIndexers } from '../tranches/tranche.js';
import { DayCountEnum } from '../../securities/day-count.js';
import type { Provenance } from './load-provenance.js';
import type { UsedNumber } from './provenance.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { paymentDecimals } from '../unit-price/settle.js';
import type { PriceVersion } from './price-history.store.js';
import { day, decimal, fields, flag, int, list, nullable, of, text, time } from '../../../shared/graphql/fields.js';

@ObjectType({
  simpleResolvers: true,
  description: 'The price of a unit of a series on a day, with all intermediate values.',
})
export class TrancheUnitPrice extends fields({
  date: day('Day of the price'),
  unitPrice: decimal('Unit price with accrued interest (PU), before the payment of the day; in BRL with 8 decimals'),
  nominalValue: decimal(
    'Unit price without accrued interest (clean PU): the nominal value, updated by the price index if there is one; in BRL with 8 decimals',
  ),
  interestJ: decimal('Accrued interest; in BRL with 8 decimals'),
  baseValue: decimal('Nominal value before its update by the price index'),
  indexFactor: decimal('Factor of the price index; 1 without one'),
  projected: flag(
    'Whether a projection is part of `indexFactor`, in place of an index number that was not published; `provenance` has the projection',
  ),
  indexStart: day('Day from which the factor of the price index runs'),
  diProduct: decimal('Running product of the daily DI factors, 16 decimals'),
  diFactor: decimal('Factor of the DI rate; 1 when the series does not follow it'),
  spreadFactor: decimal('Factor of the fixed rate or of the spread'),
  interestFactor: decimal('Factor of the interest: DI factor times spread factor'),
  accrualStart: day('Day since which interest has accrued'),
  businessDays: int('Number of business days since `accrualStart`'),
  calendarDays: int('Number of calendar days since `accrualStart`'),
  amortization: decimal('Amortization of a token by an instalment of the day; in BRL with 9 decimals'),
  payment: decimal(
    'Payment of an instalment of the day for a token, interest and amortization; in BRL with 9 decimals',
  ),
  nextBaseValue: decimal('Nominal value after the payment of the day'),
  version: int('Version, from 1; a correction creates a new one, and earlier ones remain'),
  calendarVersion: int('Version of the table of holidays that was used'),
  calculatedAt: time('Time at which this version was calculated'),
}) {}

/** A price as resolvers pass it on: the visible fields, and what its inputs are loaded by. */
export type TrancheUnitPriceShape = Shape<TrancheUnitPrice> & Pick<PriceVersion, 'trancheId' | 'policyVersion'>;

export function toTrancheUnitPrice(row: PriceVersion): TrancheUnitPriceShape {
  return {
    ...row,
    nominalValue: row.vna,
    baseValue: row.vne,
    amortization: paid(row.amortization),
    payment: paid(row.payment),
    nextBaseValue: row.nextVne,
  };
}

/** Formats an exact amount with the decimals that deeds pay with. */
function paid(exact: string): string {
  return truncate(new Decimal(exact), paymentDecimals).toFixed(paymentDecimals);
}

@ObjectType({ simpleResolvers: true, description: 'The policy of a series in the version that a price used.' })
export class PricePolicy extends fields({
  version: int('Version, from 1, which every change of an input of the price increases'),
  remunerationStartDate: day('First day of remuneration'),
  issueValue: decimal('Value of a unit on that day in BRL, 8 decimals'),
  dayCount: of(() => DayCountEnum, 'Day count: counted days, and days of a year'),
  rate: decimal('Fixed rate, or spread over the index, in percent per year'),
  indexer: of(() => IndexerEnum, 'Index of the remuneration, besides the rate'),
  diPercentage: nullable.decimal('Percentage of the DI rate that is paid; null without DI'),
  diLagBusinessDays: nullable.int(
    'Business days from the day of a DI rate to the day to which it applies, 0 or more; null without DI',
  ),
  indexLagMonths: nullable.int(
    'Months from the month of an index number to the month of the anniversary that uses it; null without a price index',
  ),
  indexAnniversaryDay: nullable.int('Day of the month of the anniversaries; null without a price index'),
  indexProRata: nullable.of(
    () => IndexProRataEnum,
    'Days over which the variation of a month is distributed; null without a price index',
  ),
  indexBase: nullable.of(() => IndexBaseEnum, 'Day from which the index factor runs; null without a price index'),
  projection: nullable.of(
    () => IndexProjectionEnum,
    'What applies until an index number is published; null without a price index',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The projection of an index number.' })
export class UsedProjection extends fields({
  percent: decimal('Projected variation of the month in percent, 2 to 8 decimals'),
  source: text('Who published it, such as ANBIMA'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'An index number in the version that was used: published, or projected: the number of the month before × (1 + percent ÷ 100).',
})
export class UsedIndexNumber extends fields({
  date: day('First day of its month'),
  value: decimal('Index number: published, 10 decimals; projected, exact'),
  version: int('Version of the number or of the projection, from 1; every correction creates a new one'),
  recordedAt: time('Time at which this version was recorded'),
  publishedOn: day('Day on which the number, or the projection, was published'),
  projection: nullable.of<Shape<UsedProjection>>(
    () => UsedProjection,
    'By which it was projected; null for a published one',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A DI rate that a price used, in the version that was used.' })
export class UsedDiRate extends fields({
  date: day('Day of the rate'),
  value: decimal('Rate in percent per year, 10 decimals'),
  version: int('Version, from 1; every correction creates a new one'),
  recordedAt: time('Time at which this version was recorded'),
  dailyRate: decimal('TDI of the day: (1 + value/100)^(1/252) - 1, rounded at 8 decimals'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Consecutive DI rates of the same value that a price used.' })
export class DiRatePeriod extends fields({
  from: day('Day of the first rate'),
  to: day('Day of the last rate'),
  days: int('Number of rates: the business days of the period'),
  value: decimal('The rate in percent per year, 10 decimals'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A month of a price index that a price used, or its part.' })
export class UsedIndexMonth extends fields({
  from: day('Anniversary at which it begins'),
  to: day('Anniversary at which it ends'),
  elapsedDays: int('Number of counted days: business or calendar days, as `indexProRata` says'),
  totalDays: int('Total number of its days, counted in the same way'),
  number: nullable.of(() => UsedIndexNumber, 'Index number of the month; null when it was not stored'),
  previousNumber: nullable.of(() => UsedIndexNumber, 'Index number of the previous month; null when it was not stored'),
  factor: nullable.decimal(
    '(number/previousNumber)^(elapsedDays/totalDays), truncated at 8 decimals; null when one of the numbers is null',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The instalment that accrues until the day of a price.' })
export class PricedInstalment extends fields({
  installmentNumber: int('Number, from 1; 0 where only events are of the day'),
  event: nullable.text('Number of the first event where only events are of the day'),
  interestEvent: of(() => InterestEventEnum, 'Use of the accrued interest'),
  amortizationPercentage: decimal('Amortization, in percent of the balance or of the issue value'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'The inputs of a unit price, as they were known when it was calculated, regardless of later corrections. Together with the factors and days of the price they suffice to recalculate it.',
})
export class PriceProvenance extends fields({
  policy: of(() => PricePolicy, 'Policy of the series'),
  countedDays: int('Number of days since `accrualStart` to which the rate applies'),
  yearDays: int('Number of days of a year: 252, 365 or 360'),
  diRates: list(() => UsedDiRate, 'DI rates since `accrualStart`, oldest first; empty without DI', { assumedSize: 60 }),
  diRatePeriods: list(
    () => DiRatePeriod,
    'The DI rates as periods: consecutive rates of the same value are one; empty without DI',
    { assumedSize: 4 },
  ),
  indexMonths: list(
    () => UsedIndexMonth,
    'Index months since `indexStart`, oldest first; empty without a price index',
    { assumedSize: 12 },
  ),
  instalment: nullable.of(() => PricedInstalment, 'Instalment of the day; null when there is none'),
}) {}

export type PriceProvenanceShape = Shape<PriceProvenance> & Pick<Provenance, 'rules'>;

export function toPriceProvenance({ policy, instalment, ...inputs }: Provenance): PriceProvenanceShape {
  return {
    ...inputs,
    indexMonths: inputs.indexMonths.map((month) => ({ ...month, number: toUsedNumber(month.number) })),
    diRatePeriods: diRatePeriods(inputs.diRates),
    policy: {
      ...policy,
      version: policy.policyVersion,
      indexer: graphIndexers[policy.indexer],
      rate: percentageText(policy.rate),
      diPercentage: policy.diPercentage === null ? null : percentageText(policy.diPercentage),
    },
    instalment: instalment && {
      ...instalment,
      ...numberOf(instalment),
      amortizationPercentage: percentageText(instalment.amortizationPercentage),
    },
  };
}

function toUsedNumber(number: UsedNumber | null): UsedNumber | null {
  if (number?.projection == null) return number;
  return { ...number, projection: { ...number.projection, percent: percentageText(number.projection.percent) } };
}

/** Joins consecutive rates of the same value. @param rates by day, oldest first */
export function diRatePeriods(
  rates: readonly { readonly date: string; readonly value: string }[],
): Shape<DiRatePeriod>[] {
  const periods: Shape<DiRatePeriod>[] = [];
  for (const { date, value } of rates) {
    const last = periods.at(-1);
    if (last?.value === value) periods[periods.length - 1] = { ...last, to: date, days: last.days + 1 };
    else periods.push({ from: date, to: date, days: 1, value });
  }
  return periods;
}
