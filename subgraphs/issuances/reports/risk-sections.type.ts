import { Directive, Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar, MonthScalar } from '../../../shared/graphql/scalars.js';
import { type RiskClass, RiskClassEnum } from '../../securities/risk-class.js';
import type { Covenant, CovenantCaveat, CovenantMetric } from './covenants.js';
import type { EndedSeries } from './subordination.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { MonthStatus } from './report-months.js';
import type { Report } from './report-schema.js';

@ObjectType({ simpleResolvers: true, description: 'Credits in a band of balance relative to collateral.' })
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
  @Field(() => DecimalScalar, { nullable: true, description: 'LTV in percent; null when no credit has collateral' })
  ltv!: string | null;

  @Field(() => Int, { description: 'Number of credits with collateral' })
  contracts!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Value of the collateral' })
  collateral!: string;

  @Field(() => DecimalScalar, { description: 'Balance of the credits without collateral' })
  uncollateralizedBalance!: string;

  @Field(() => [LoanToValueBand], { description: 'All bands, including empty ones' })
  bands!: readonly LoanToValueBand[];
}

@ObjectType({ simpleResolvers: true, description: 'Prepayment in one month.' })
export class PrepaymentInMonth {
  @Field(() => MonthScalar, { description: 'Month' })
  month!: string;

  @Field(() => DecimalScalar, { description: 'Balance at the beginning of the month' })
  opening!: string;

  @Field(() => DecimalScalar, { description: 'Principal due according to the schedule' })
  scheduled!: string;

  @Field(() => DecimalScalar, { description: 'Principal paid ahead of schedule' })
  prepaid!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'SMM; null when no balance remained after scheduled principal',
  })
  smm!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'CPR; null when no balance remained after scheduled principal',
  })
  cpr!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Speed at which debtors pay ahead of schedule. SMM = prepaid ÷ (opening balance − scheduled principal); CPR = 1 − (1 − SMM)^12; both in percent.',
})
export class PrepaymentSpeed {
  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'SMM of the month of the report, null when it has no positions; for the live position, of the latest month with positions',
  })
  smm!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'CPR of that month' })
  cpr!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'CPR over 12 months, compounded; null while fewer months have a speed',
  })
  cprTwelveMonths!: string | null;

  @Field(() => Int, { description: 'How many of the last 12 months have a speed' })
  measuredMonths!: number;

  @Directive('@listSize(assumedSize: 12)')
  @Field(() => [PrepaymentInMonth], { description: 'The last 12 months, oldest first' })
  months!: readonly PrepaymentInMonth[];
}

@ObjectType({ simpleResolvers: true, description: 'Test of a covenant of the deed about a figure of the report.' })
export class TestedCovenant {
  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => CovenantMetricEnum, { description: 'The tested figure' })
  metric!: CovenantMetric;

  @Field(() => CovenantComparisonEnum, {
    description: 'Side of the threshold on which the figure must be; being equal to it is sufficient',
  })
  comparison!: Covenant['comparison'];

  @Field(() => DecimalScalar, { description: 'The threshold, in percent' })
  threshold!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The figure, in percent; null when it cannot be computed',
  })
  value!: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the covenant is fulfilled; null when it cannot be computed',
  })
  fulfilled!: boolean | null;

  @Field(() => CovenantCaveatEnum, {
    nullable: true,
    description: 'Caveat about the test; null without one',
  })
  caveat!: CovenantCaveat | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Amount owed to the holders of a series: number of units times unit price.',
})
export class SeriesOwed {
  @Field(() => Int, { description: 'Number of the series' })
  number!: number;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => RiskClassEnum, { description: 'Risk class' })
  class!: RiskClass;

  @Field(() => DecimalScalar, { description: 'Amount owed to the holders' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Share of all series, in percent; the shares add up to 100.00' })
  share!: string;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Day of the unit price; null when it is the unit value at issue',
  })
  priceDate!: string | null;

  @Field(() => Boolean, { description: 'Whether a newer price was due on the day of the report' })
  stale!: boolean;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'What was due and unpaid beside `balance`, whose price is without it; null where an amount is not known, and in reports closed before it was computed',
  })
  overdueTotal!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A series without any amount owed, which is not part of the figures.',
})
export class SeriesEnded {
  @Field(() => Int, { description: 'Number of the series' })
  number!: number;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => RiskClassEnum, { description: 'Risk class' })
  class!: RiskClass;

  @Field(() => SeriesEndEnum, { description: 'Reason for the end' })
  end!: EndedSeries['end'];

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Day on which it ended; null when only its status says that it ended',
  })
  endedOn!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Subordination to the senior series, of the outstanding series.',
})
export class SeriesSubordination {
  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [SeriesOwed], { description: 'The outstanding series' })
  series!: readonly SeriesOwed[];

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [SeriesEnded], { description: 'Series that were redeemed or have matured' })
  ended!: readonly SeriesEnded[];

  @Field(() => DecimalScalar, { description: 'Amount owed to the holders of all series' })
  total!: string;

  @Field(() => DecimalScalar, { description: 'Amount owed to the senior series' })
  seniorBalance!: string;

  @Field(() => DecimalScalar, { description: 'Amount owed to the mezzanine series' })
  mezzanineBalance!: string;

  @Field(() => DecimalScalar, { description: 'Amount owed to the junior series' })
  juniorBalance!: string;

  @Field(() => DecimalScalar, { description: 'Amount owed to series without a class' })
  uniqueBalance!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Balance of mezzanine and junior series relative to all series, in percent; null without outstanding series',
  })
  index!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Balance of the credits relative to all series, in percent; null without outstanding series',
  })
  coverage!: string | null;
}

export const ProvisioningMatrixEnum = describeEnum<Report['provisioning']['matrix']>(
  'ProvisioningMatrix',
  'Origin of the provisioning matrix.',
  {
    HOUSE:
      'The default: the stages of Resolução CMN 4.966/2021 at the levels of Resolução BCB 352/2023 for credits without collateral',
    OPERATION: 'The matrix of the operation',
  },
  {
    HOUSE: ['Resolução BCB 352/2023', 'Resolution BCB 352/2023'],
    OPERATION: ['Matriz da operação', 'Matrix of the operation'],
  },
);

export const CovenantComparisonEnum = describeEnum<Covenant['comparison']>(
  'CovenantComparison',
  'Side of the threshold on which a figure must be.',
  { AT_LEAST: 'The figure must not be below the threshold', AT_MOST: 'The figure must not be above the threshold' },
  { AT_LEAST: ['No mínimo', 'At least'], AT_MOST: ['No máximo', 'At most'] },
);

export const CovenantMetricEnum = describeEnum<CovenantMetric>(
  'CovenantMetric',
  'A figure of the management report.',
  {
    SUBORDINATION: 'Balance of mezzanine and junior series relative to all series',
    COVERAGE: 'Balance of the credits relative to the balance of all series',
    LTV: 'Balance relative to collateral',
    LARGEST_DEBTOR: 'Share of the largest debtor',
    LARGEST_5_DEBTORS: 'Share of the largest 5 debtors',
    LARGEST_10_DEBTORS: 'Share of the largest 10 debtors',
    LARGEST_20_DEBTORS: 'Share of the largest 20 debtors',
    OVERDUE_OVER_30: 'Share of the balance that is more than 30 days late',
    OVERDUE_OVER_90: 'Share of the balance that is more than 90 days late',
    PROVISION: 'Provision relative to the balance',
  },
  {
    SUBORDINATION: ['Subordinação', 'Subordination'],
    COVERAGE: ['Índice de cobertura', 'Coverage'],
    LTV: ['LTV', 'LTV'],
    LARGEST_DEBTOR: ['Maior devedor', 'Largest debtor'],
    LARGEST_5_DEBTORS: ['5 maiores devedores', 'Largest 5 debtors'],
    LARGEST_10_DEBTORS: ['10 maiores devedores', 'Largest 10 debtors'],
    LARGEST_20_DEBTORS: ['20 maiores devedores', 'Largest 20 debtors'],
    OVERDUE_OVER_30: ['Atraso acima de 30 dias', 'Overdue over 30 days'],
    OVERDUE_OVER_90: ['Atraso acima de 90 dias', 'Overdue over 90 days'],
    PROVISION: ['Provisão', 'Provision'],
  },
);

export const CovenantCaveatEnum = describeEnum<CovenantCaveat>(
  'CovenantCaveat',
  'Caveat about the test of a covenant.',
  {
    NOT_COMPUTABLE: 'The figure cannot be computed, such as an LTV without collateral',
    STALE_PRICE: 'The figure uses a unit price although a newer one was due',
  },
  { NOT_COMPUTABLE: ['Não calculável', 'Not computable'], STALE_PRICE: ['Preço desatualizado', 'Stale price'] },
);

const SeriesEndEnum = describeEnum<EndedSeries['end']>(
  'SeriesEnd',
  'Reason for the end of a series.',
  {
    REDEEMED: 'It was fully redeemed',
    MATURED: 'It matured, and all of its payments are made',
  },
  { REDEEMED: ['Resgatada', 'Redeemed'], MATURED: ['Vencida', 'Matured'] },
);

export const MonthStatusEnum = describeEnum<MonthStatus>(
  'ReportMonthStatus',
  'Whether the report of a month still follows the data.',
  {
    PRELIMINARY: 'The positions of the month are not complete: the report is computed at each request',
    FINAL: 'The report is stored, and changes only by a new version',
  },
  { PRELIMINARY: ['Preliminar', 'Preliminary'], FINAL: ['Final', 'Final'] },
);
