import { Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { percentageText } from '../../../shared/format/percentage.js';
import { InterestEventEnum } from '../schedule/schedule.enum.js';
import { DayCountEnum, IndexBaseEnum, IndexProRataEnum, TrancheIndexerEnum } from '../tranches/tranche.enum.js';
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

  @Field(() => TrancheIndexerEnum, { description: 'The index that remunerates beside the rate' })
  indexer!: IndexerName;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Part of the DI rate that is paid, in percent; null without DI',
  })
  diPercentage!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Business days from the day of a DI rate to the day that counts with it, 0 or more; null without DI',
  })
  diLagBusinessDays!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Months from the month of an index number to the month of the anniversary that takes it; null without a price index',
  })
  indexLagMonths!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Day of the month of the anniversaries; null without a price index',
  })
  indexAnniversaryDay!: number | null;

  @Field(() => IndexProRataEnum, {
    nullable: true,
    description: 'Days over which the variation of a month is spread; null without a price index',
  })
  indexProRata!: IndexProRata | null;

  @Field(() => IndexBaseEnum, {
    nullable: true,
    description: 'The day since which the factor runs; null without a price index',
  })
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

@ObjectType({
  simpleResolvers: true,
  description: 'A DI rate of which a price was made, in the version that was used.',
})
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

@ObjectType({
  simpleResolvers: true,
  description: 'A month of a price index of which a price was made, or the part of it that counts.',
})
export class UsedIndexMonth {
  @Field(() => DateScalar, { description: 'The anniversary at which it begins' })
  from!: string;

  @Field(() => DateScalar, { description: 'The anniversary at which it ends' })
  to!: string;

  @Field(() => Int, { description: 'Days of it that count: business or calendar days, as `indexProRata` says' })
  elapsedDays!: number;

  @Field(() => Int, { description: 'All of its days, counted in the same way' })
  totalDays!: number;

  @Field(() => UsedIndexNumber, { nullable: true, description: 'Its index number; null where it was not kept' })
  number!: UsedIndexNumber | null;

  @Field(() => UsedIndexNumber, {
    nullable: true,
    description: 'The index number of the month before; null where it was not kept',
  })
  previousNumber!: UsedIndexNumber | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      '(number/previousNumber)^(elapsedDays/totalDays), truncated at 8 decimals; null where one of the numbers is',
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
    'The inputs of a unit price, as they were known when it was made, whatever was corrected since. With the factors and days of the price they are enough to calculate it again.',
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
    description: 'The rules by which the price follows from these inputs, in the order of the calculation',
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
