import { Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { percentageText } from '../common/percentage.js';
import { InterestEventEnum } from '../schedule/schedule.enum.js';
import { DayCountEnum, IndexBaseEnum, IndexProRataEnum, TrancheIndexerEnum } from '../tranches/tranche.enums.js';
import type { IndexerName } from '../tranches/tranche.js';
import type { DayCount } from '../unit-price/day-count.js';
import type { IndexBase, IndexProRata } from '../unit-price/index-bases.js';
import type { InterestEvent } from '../unit-price/policy.js';
import type { Provenance } from './load-provenance.js';

@ObjectType({ simpleResolvers: true, description: 'The policy of a series in the version that a price was made by.' })
export class PricePolicy {
  @Field(() => Int, { description: 'Version, from 1: raised by whatever a price depends on' })
  version!: number;

  @Field(() => DateScalar, { description: 'The first day that remunerates' })
  remunerationStartDate!: string;

  @Field(() => DecimalScalar, { description: 'Value of a unit on that day in BRL, 8 decimals' })
  issueValue!: string;

  @Field(() => DayCountEnum, { description: 'Which days count, and how many of them make a year' })
  dayCount!: DayCount;

  @Field(() => DecimalScalar, { description: 'Fixed rate, or spread over the index, in percent a year' })
  rate!: string;

  @Field(() => TrancheIndexerEnum, { description: 'What remunerates beside the rate' })
  indexer!: IndexerName;

  @Field(() => DecimalScalar, { nullable: true, description: 'How much of the DI rate is paid, in percent; DI alone' })
  diPercentage!: string | null;

  @Field(() => Int, { nullable: true, description: 'Business days that a DI rate lies before its day; DI alone' })
  diLagBusinessDays!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Months that the index number of an anniversary lies before it; price indices alone',
  })
  indexLagMonths!: number | null;

  @Field(() => Int, { nullable: true, description: 'Day of the month of the anniversaries; price indices alone' })
  indexAnniversaryDay!: number | null;

  @Field(() => IndexProRataEnum, {
    nullable: true,
    description: 'What the variation of a month is spread over; price indices alone',
  })
  indexProRata!: IndexProRata | null;

  @Field(() => IndexBaseEnum, { nullable: true, description: 'Since when the factor runs; price indices alone' })
  indexBase!: IndexBase | null;
}

@ObjectType({ simpleResolvers: true, description: 'A number that the market published, in the version that was used.' })
export class UsedIndexNumber {
  @Field(() => DateScalar, { description: 'The first day of its month' })
  date!: string;

  @Field(() => DecimalScalar, { description: 'The index number, 10 decimals' })
  value!: string;

  @Field(() => Int, { description: 'Version, from 1: a correction is a new one' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'When this version was recorded' })
  recordedAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A DI rate that is in a price, in the version that was used.' })
export class UsedDiRate {
  @Field(() => DateScalar, { description: 'Its day' })
  date!: string;

  @Field(() => DecimalScalar, { description: 'Percent a year, 10 decimals' })
  value!: string;

  @Field(() => Int, { description: 'Version, from 1: a correction is a new one' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'When this version was recorded' })
  recordedAt!: Date;

  @Field(() => DecimalScalar, { description: 'TDI of the day: (1 + value/100)^(1/252) - 1, rounded at 8 decimals' })
  dailyRate!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A month of a price index that is in a price, or the part of it.' })
export class UsedIndexMonth {
  @Field(() => DateScalar, { description: 'The anniversary at which it begins' })
  from!: string;

  @Field(() => DateScalar, { description: 'The anniversary at which it ends' })
  to!: string;

  @Field(() => Int, { description: 'Days of it that count' })
  elapsedDays!: number;

  @Field(() => Int, { description: 'Days that it has' })
  totalDays!: number;

  @Field(() => UsedIndexNumber, { nullable: true, description: 'Its index number' })
  number!: UsedIndexNumber | null;

  @Field(() => UsedIndexNumber, { nullable: true, description: 'The index number of the month before' })
  previousNumber!: UsedIndexNumber | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: '(number/previousNumber)^(elapsedDays/totalDays), truncated at 8 decimals',
  })
  factor!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'The instalment that accrues up to the day of a price.' })
export class PricedInstalment {
  @Field(() => Int, { description: 'Number, from 1' })
  installmentNumber!: number;

  @Field(() => InterestEventEnum, { description: 'What becomes of the accrued interest' })
  interestEvent!: InterestEvent;

  @Field(() => DecimalScalar, { description: 'Amortization, in percent of the balance or of the issue value' })
  amortizationPercentage!: string;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'What a unit price was made of: with the factors and days beside it, enough to calculate it again. As it was known when the price was made, whatever was corrected since.',
})
export class PriceProvenance {
  @Field(() => PricePolicy, { description: 'The policy of the series' })
  policy!: PricePolicy;

  @Field(() => Int, { description: 'Days since `accrualStart` that count for the rate' })
  countedDays!: number;

  @Field(() => Int, { description: 'Days that make a year: 252, 365 or 360' })
  yearDays!: number;

  @Field(() => [UsedDiRate], { description: 'Rates since `accrualStart`, oldest first; empty without DI' })
  diRates!: readonly UsedDiRate[];

  @Field(() => [UsedIndexMonth], {
    description: 'Months since `indexStart`, oldest first; empty without a price index',
  })
  indexMonths!: readonly UsedIndexMonth[];

  @Field(() => PricedInstalment, { nullable: true, description: 'The instalment of the day; null where there is none' })
  instalment!: PricedInstalment | null;

  @Field(() => [String], {
    description: 'The rules by which these make the price, in the order in which they are used',
  })
  rules!: readonly string[];
}

export function toPriceProvenance({ policy, instalment, ...inputs }: Provenance): Shape<PriceProvenance> {
  return {
    ...inputs,
    policy: {
      version: policy.policyVersion,
      remunerationStartDate: policy.remunerationStartDate,
      issueValue: policy.issueValue,
      dayCount: policy.dayCount,
      rate: percentageText(policy.rate),
      indexer: policy.indexer,
      diPercentage: policy.diPercentage === null ? null : percentageText(policy.diPercentage),
      diLagBusinessDays: policy.diLagBusinessDays,
      indexLagMonths: policy.indexLagMonths,
      indexAnniversaryDay: policy.indexAnniversaryDay,
      indexProRata: policy.indexProRata,
      indexBase: policy.indexBase,
    },
    instalment: instalment && {
      ...instalment,
      amortizationPercentage: percentageText(instalment.amortizationPercentage),
    },
  };
}
