import { Directive, Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { type Indexer, IndexerEnum } from '../../securities/indexer.js';
import { percentageText } from '../../../shared/kernel/format/format.js';
import { numberOf } from '../schedule/schedule-entry.type.js';
import { InterestEventEnum } from '../schedule/schedule-entry.type.js';
import { IndexBaseEnum, IndexProRataEnum, IndexProjectionEnum } from '../tranches/tranche.type.js';
import { graphIndexers } from '../tranches/tranche.js';
import { DayCountEnum, type DayCount } from '../../securities/day-count.js';
import type { IndexBase, IndexProRata, ProjectionClause } from '../unit-price/index-bases.js';
import type { InterestEvent } from '../unit-price/policy.js';
import type { Provenance } from './load-provenance.js';
import type { UsedNumber } from './provenance.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { paymentDecimals } from '../unit-price/settle.js';
import type { PriceVersion } from './price-history.store.js';

@ObjectType({
  simpleResolvers: true,
  description: 'The price of a unit of a series on a day, with all intermediate values.',
})
export class TrancheUnitPrice {
  @Field(() => DateScalar, { description: 'Day of the price' })
  date!: string;

  @Field(() => DecimalScalar, {
    description: 'Unit price with accrued interest (PU), before the payment of the day; in BRL with 8 decimals',
  })
  unitPrice!: string;

  @Field(() => DecimalScalar, {
    description:
      'Unit price without accrued interest (clean PU): the nominal value, updated by the price index if there is one; in BRL with 8 decimals',
  })
  nominalValue!: string;

  @Field(() => DecimalScalar, { description: 'Accrued interest; in BRL with 8 decimals' })
  interestJ!: string;

  @Field(() => DecimalScalar, { description: 'Nominal value before its update by the price index' })
  baseValue!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the price index; 1 without one' })
  indexFactor!: string;

  @Field(() => Boolean, {
    description:
      'Whether a projection is part of `indexFactor`, in place of an index number that was not published; `provenance` has the projection',
  })
  projected!: boolean;

  @Field(() => DateScalar, { description: 'Day from which the factor of the price index runs' })
  indexStart!: string;

  @Field(() => DecimalScalar, { description: 'Running product of the daily DI factors, 16 decimals' })
  diProduct!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the DI rate; 1 when the series does not follow it' })
  diFactor!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the fixed rate or of the spread' })
  spreadFactor!: string;

  @Field(() => DecimalScalar, { description: 'Factor of the interest: DI factor times spread factor' })
  interestFactor!: string;

  @Field(() => DateScalar, { description: 'Day since which interest has accrued' })
  accrualStart!: string;

  @Field(() => Int, { description: 'Number of business days since `accrualStart`' })
  businessDays!: number;

  @Field(() => Int, { description: 'Number of calendar days since `accrualStart`' })
  calendarDays!: number;

  @Field(() => DecimalScalar, {
    description: 'Amortization of a token by an instalment of the day; in BRL with 9 decimals',
  })
  amortization!: string;

  @Field(() => DecimalScalar, {
    description: 'Payment of an instalment of the day for a token, interest and amortization; in BRL with 9 decimals',
  })
  payment!: string;

  @Field(() => DecimalScalar, { description: 'Nominal value after the payment of the day' })
  nextBaseValue!: string;

  @Field(() => Int, { description: 'Version, from 1; a correction creates a new one, and earlier ones remain' })
  version!: number;

  @Field(() => Int, { description: 'Version of the table of holidays that was used' })
  calendarVersion!: number;

  @Field(() => DateTimeScalar, { description: 'Time at which this version was calculated' })
  calculatedAt!: Date;
}

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
export class PricePolicy {
  @Field(() => Int, { description: 'Version, from 1, which every change of an input of the price increases' })
  version!: number;

  @Field(() => DateScalar, { description: 'First day of remuneration' })
  remunerationStartDate!: string;

  @Field(() => DecimalScalar, { description: 'Value of a unit on that day in BRL, 8 decimals' })
  issueValue!: string;

  @Field(() => DayCountEnum, { description: 'Day count: counted days, and days of a year' })
  dayCount!: DayCount;

  @Field(() => DecimalScalar, { description: 'Fixed rate, or spread over the index, in percent per year' })
  rate!: string;

  @Field(() => IndexerEnum, { description: 'Index of the remuneration, besides the rate' })
  indexer!: Indexer;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Percentage of the DI rate that is paid; null without DI',
  })
  diPercentage!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Business days from the day of a DI rate to the day to which it applies, 0 or more; null without DI',
  })
  diLagBusinessDays!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Months from the month of an index number to the month of the anniversary that uses it; null without a price index',
  })
  indexLagMonths!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Day of the month of the anniversaries; null without a price index',
  })
  indexAnniversaryDay!: number | null;

  @Field(() => IndexProRataEnum, {
    nullable: true,
    description: 'Days over which the variation of a month is distributed; null without a price index',
  })
  indexProRata!: IndexProRata | null;

  @Field(() => IndexBaseEnum, {
    nullable: true,
    description: 'Day from which the index factor runs; null without a price index',
  })
  indexBase!: IndexBase | null;

  @Field(() => IndexProjectionEnum, {
    nullable: true,
    description: 'What applies until an index number is published; null without a price index',
  })
  projection!: ProjectionClause | null;
}

@ObjectType({ simpleResolvers: true, description: 'The projection of an index number.' })
export class UsedProjection {
  @Field(() => DecimalScalar, { description: 'Projected variation of the month in percent, 2 to 8 decimals' })
  percent!: string;

  @Field(() => String, { description: 'Who published it, such as ANBIMA' })
  source!: string;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'An index number in the version that was used: published, or projected: the number of the month before × (1 + percent ÷ 100).',
})
export class UsedIndexNumber {
  @Field(() => DateScalar, { description: 'First day of its month' })
  date!: string;

  @Field(() => DecimalScalar, { description: 'Index number: published, 10 decimals; projected, exact' })
  value!: string;

  @Field(() => Int, {
    description: 'Version of the number or of the projection, from 1; every correction creates a new one',
  })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'Time at which this version was recorded' })
  recordedAt!: Date;

  @Field(() => DateScalar, { description: 'Day on which the number, or the projection, was published' })
  publishedOn!: string;

  @Field(() => UsedProjection, { nullable: true, description: 'By which it was projected; null for a published one' })
  projection!: Shape<UsedProjection> | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A DI rate that a price used, in the version that was used.',
})
export class UsedDiRate {
  @Field(() => DateScalar, { description: 'Day of the rate' })
  date!: string;

  @Field(() => DecimalScalar, { description: 'Rate in percent per year, 10 decimals' })
  value!: string;

  @Field(() => Int, { description: 'Version, from 1; every correction creates a new one' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'Time at which this version was recorded' })
  recordedAt!: Date;

  @Field(() => DecimalScalar, { description: 'TDI of the day: (1 + value/100)^(1/252) - 1, rounded at 8 decimals' })
  dailyRate!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Consecutive DI rates of the same value that a price used.' })
export class DiRatePeriod {
  @Field(() => DateScalar, { description: 'Day of the first rate' })
  from!: string;

  @Field(() => DateScalar, { description: 'Day of the last rate' })
  to!: string;

  @Field(() => Int, { description: 'Number of rates: the business days of the period' })
  days!: number;

  @Field(() => DecimalScalar, { description: 'The rate in percent per year, 10 decimals' })
  value!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A month of a price index that a price used, or its part.',
})
export class UsedIndexMonth {
  @Field(() => DateScalar, { description: 'Anniversary at which it begins' })
  from!: string;

  @Field(() => DateScalar, { description: 'Anniversary at which it ends' })
  to!: string;

  @Field(() => Int, { description: 'Number of counted days: business or calendar days, as `indexProRata` says' })
  elapsedDays!: number;

  @Field(() => Int, { description: 'Total number of its days, counted in the same way' })
  totalDays!: number;

  @Field(() => UsedIndexNumber, {
    nullable: true,
    description: 'Index number of the month; null when it was not stored',
  })
  number!: UsedIndexNumber | null;

  @Field(() => UsedIndexNumber, {
    nullable: true,
    description: 'Index number of the previous month; null when it was not stored',
  })
  previousNumber!: UsedIndexNumber | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      '(number/previousNumber)^(elapsedDays/totalDays), truncated at 8 decimals; null when one of the numbers is null',
  })
  factor!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'The instalment that accrues until the day of a price.' })
export class PricedInstalment {
  @Field(() => Int, { description: 'Number, from 1; 0 where only events are of the day' })
  installmentNumber!: number;

  @Field(() => String, { nullable: true, description: 'Number of the first event where only events are of the day' })
  event!: string | null;

  @Field(() => InterestEventEnum, { description: 'Use of the accrued interest' })
  interestEvent!: InterestEvent;

  @Field(() => DecimalScalar, { description: 'Amortization, in percent of the balance or of the issue value' })
  amortizationPercentage!: string;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'The inputs of a unit price, as they were known when it was calculated, regardless of later corrections. Together with the factors and days of the price they suffice to recalculate it.',
})
export class PriceProvenance {
  @Field(() => PricePolicy, { description: 'Policy of the series' })
  policy!: PricePolicy;

  @Field(() => Int, { description: 'Number of days since `accrualStart` to which the rate applies' })
  countedDays!: number;

  @Field(() => Int, { description: 'Number of days of a year: 252, 365 or 360' })
  yearDays!: number;

  @Directive('@listSize(assumedSize: 60)')
  @Field(() => [UsedDiRate], { description: 'DI rates since `accrualStart`, oldest first; empty without DI' })
  diRates!: readonly UsedDiRate[];

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [DiRatePeriod], {
    description: 'The DI rates as periods: consecutive rates of the same value are one; empty without DI',
  })
  diRatePeriods!: readonly DiRatePeriod[];

  @Directive('@listSize(assumedSize: 12)')
  @Field(() => [UsedIndexMonth], {
    description: 'Index months since `indexStart`, oldest first; empty without a price index',
  })
  indexMonths!: readonly UsedIndexMonth[];

  @Field(() => PricedInstalment, { nullable: true, description: 'Instalment of the day; null when there is none' })
  instalment!: PricedInstalment | null;
}

/** The inputs of a price, with its rules in each language. */
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

/** Consecutive rates of the same value. */
interface RatePeriod {
  readonly from: string;
  readonly to: string;
  readonly days: number;
  readonly value: string;
}

/** Joins consecutive rates of the same value. @param rates by day, oldest first */
export function diRatePeriods(rates: readonly { readonly date: string; readonly value: string }[]): RatePeriod[] {
  const periods: RatePeriod[] = [];
  for (const { date, value } of rates) {
    const last = periods.at(-1);
    if (last?.value === value) periods[periods.length - 1] = { ...last, to: date, days: last.days + 1 };
    else periods.push({ from: date, to: date, days: 1, value });
  }
  return periods;
}
