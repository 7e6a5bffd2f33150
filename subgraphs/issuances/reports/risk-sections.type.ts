import { Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar, MonthScalar } from '../../../shared/subgraph/scalars.js';
import { RiskClassEnum } from '../series/series.type.js';
import type { Covenant, CovenantCaveat, CovenantMetric } from './covenants.js';
import { CovenantCaveatEnum, CovenantComparisonEnum, CovenantMetricEnum, SeriesEndEnum } from './report.enum.js';
import type { EndedSeries, RiskClass } from './subordination.js';

@ObjectType({ simpleResolvers: true, description: 'Credits whose balance is such a share of their collateral.' })
export class LoanToValueBand {
  @Field(() => String, {
    description: 'Até 50%, 50-60%, … 90-100%, Acima de 100%; the upper bound belongs to the band',
  })
  label!: string;

  @Field(() => Int, { description: 'Credits' })
  contracts!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, {
    description: 'Share of the balance that has collateral, in percent; the shares add up to 100.00',
  })
  share!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Balance over the value of the collateral.' })
export class LoanToValue {
  @Field(() => DecimalScalar, { nullable: true, description: 'In percent; null when no credit has collateral' })
  ltv!: string | null;

  @Field(() => Int, { description: 'Credits with collateral' })
  contracts!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Value of their collateral' })
  collateral!: string;

  @Field(() => DecimalScalar, { description: 'Balance of the credits without collateral' })
  uncollateralizedBalance!: string;

  @Field(() => [LoanToValueBand], { description: 'Every band, the empty ones too' })
  bands!: readonly LoanToValueBand[];
}

@ObjectType({ simpleResolvers: true, description: 'Prepayment in a month.' })
export class PrepaymentInMonth {
  @Field(() => MonthScalar, { description: 'The month' })
  month!: string;

  @Field(() => DecimalScalar, { description: 'Balance at its start' })
  opening!: string;

  @Field(() => DecimalScalar, { description: 'Principal due by schedule' })
  scheduled!: string;

  @Field(() => DecimalScalar, { description: 'Principal paid ahead of schedule' })
  prepaid!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'SMM; null when the schedule left nothing' })
  smm!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'CPR; null when the schedule left nothing' })
  cpr!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'How fast debtors pay ahead of schedule. SMM = prepaid ÷ (opening balance − scheduled principal); CPR = 1 − (1 − SMM)^12; both in percent.',
})
export class PrepaymentSpeed {
  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'SMM of the month of the report, null where it has no positions; of the live one: of the last month there is',
  })
  smm!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'CPR of that month' })
  cpr!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'CPR over the last 12 months (fewer when there are fewer), compounded',
  })
  cprTwelveMonths!: string | null;

  @Field(() => [PrepaymentInMonth], { description: 'The last 12 months, oldest first' })
  months!: readonly PrepaymentInMonth[];
}

@ObjectType({ simpleResolvers: true, description: 'A promise of the deed about a figure of the report.' })
export class TestedCovenant {
  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => CovenantMetricEnum, { description: 'Which figure' })
  metric!: CovenantMetric;

  @Field(() => CovenantComparisonEnum, {
    description: 'On which side of the threshold it has to be; the threshold itself is enough',
  })
  comparison!: Covenant['comparison'];

  @Field(() => DecimalScalar, { description: 'The threshold, in percent' })
  threshold!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The figure, in percent; null when it cannot be computed',
  })
  value!: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is kept; null when it cannot be computed' })
  fulfilled!: boolean | null;

  @Field(() => CovenantCaveatEnum, {
    nullable: true,
    description: 'Why this is to be read with care; null where nothing speaks against it',
  })
  caveat!: CovenantCaveat | null;
}

@ObjectType({ simpleResolvers: true, description: 'What the holders of a series are owed: quotas times unit price.' })
export class SeriesOwed {
  @Field(() => Int, { description: 'Number of the series' })
  number!: number;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => RiskClassEnum, { description: 'Risk class' })
  class!: RiskClass;

  @Field(() => DecimalScalar, { description: 'What they are owed' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Share of all series, in percent; the shares add up to 100.00' })
  share!: string;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'The day of the unit price; null where it is the unit value at issue, or a report of before 2026-11 does not say',
  })
  priceDate!: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether a newer price was due on the day of the report; null in reports of before 2026-11',
  })
  stale!: boolean | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A series of which nothing is owed any more: no part of the figures.',
})
export class SeriesEnded {
  @Field(() => Int, { description: 'Number of the series' })
  number!: number;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => RiskClassEnum, { description: 'Risk class' })
  class!: RiskClass;

  @Field(() => SeriesEndEnum, { description: 'How it came to an end' })
  end!: EndedSeries['end'];

  @Field(() => DateScalar, { nullable: true, description: 'On which day; null where only its status says so' })
  endedOn!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'What stands below the senior series, of the series that are outstanding.',
})
export class SeriesSubordination {
  @Field(() => [SeriesOwed], { description: 'By series, those that are outstanding' })
  series!: readonly SeriesOwed[];

  @Field(() => [SeriesEnded], { description: 'Series that were redeemed or have matured' })
  ended!: readonly SeriesEnded[];

  @Field(() => DecimalScalar, { description: 'What the holders of all series are owed' })
  total!: string;

  @Field(() => DecimalScalar, { description: 'Of that, the senior series' })
  seniorBalance!: string;

  @Field(() => DecimalScalar, { description: 'Of that, the mezzanine series' })
  mezzanineBalance!: string;

  @Field(() => DecimalScalar, { description: 'Of that, the junior series' })
  juniorBalance!: string;

  @Field(() => DecimalScalar, { description: 'Of that, series without a class' })
  uniqueBalance!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Mezzanine and junior series over all series, in percent; null without series that are outstanding',
  })
  index!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Balance of the credits over all series, in percent; null without series that are outstanding',
  })
  coverage!: string | null;
}
