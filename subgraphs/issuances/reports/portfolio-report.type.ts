import { Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, MonthScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import {
  DebtorConcentration,
  PortfolioAgingBand,
  PortfolioProvisioning,
  PortfolioTotals,
} from './portfolio-sections.type.js';
import type { MonthStatus } from './report-months.js';
import { MonthStatusEnum } from './report.enum.js';
import type { DatedReport, MonthReport } from './report.store.js';
import { LoanToValue, PrepaymentSpeed, SeriesSubordination, TestedCovenant } from './risk-sections.type.js';

@ObjectType({ simpleResolvers: true, description: 'Where the management report of a month stands.' })
export class ReportMonthState {
  @Field(() => MonthScalar, { description: 'The month' })
  month!: string;

  @Field(() => MonthStatusEnum, { description: 'Whether it still follows the data' })
  status!: MonthStatus;

  @Field(() => Int, {
    nullable: true,
    description: 'Newest version: 1, and one more each time it was issued again; null while it is preliminary',
  })
  version!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When that version was made; null while it is preliminary',
  })
  generatedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why that version was issued; null for the first one' })
  reason!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether what it is made of (positions of the month, write-offs, prices in force at its end) was written after that version: then it may be wrong, and can be issued again. False while it is preliminary',
  })
  dataChanged!: boolean;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The public cut of the management report of an operation, in raw values.',
})
export class PortfolioReport {
  @Field(() => MonthScalar, { nullable: true, description: 'Its month; null for the live position of today' })
  month!: string | null;

  @Field(() => MonthStatusEnum, {
    nullable: true,
    description: 'Whether the report of the month still follows the data; null for the live position',
  })
  status!: MonthStatus | null;

  @Field(() => Int, { nullable: true, description: 'Version of a final month; else null' })
  version!: number | null;

  @Field(() => String, { nullable: true, description: 'Why this version was issued; null for the first one' })
  reason!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether what it is made of (positions of the month, write-offs, prices in force at its end) was written after this version; false where it follows the data',
  })
  dataChanged!: boolean;

  @Field(() => DateScalar, { description: "The day that it is about: today, or the month's last day" })
  position!: string;

  @Field(() => DateTimeScalar, { description: 'When it was made' })
  generatedAt!: Date;

  @Field(() => PortfolioTotals, { description: 'The portfolio added up' })
  portfolio!: PortfolioTotals;

  @Field(() => DebtorConcentration, { description: 'How much depends on few debtors' })
  concentration!: DebtorConcentration;

  @Field(() => [PortfolioAgingBand], { description: 'Balance by days late; every band, the empty ones too' })
  aging!: readonly PortfolioAgingBand[];

  @Field(() => PortfolioProvisioning, { description: 'Expected losses by days late' })
  provisioning!: PortfolioProvisioning;

  @Field(() => LoanToValue, { description: 'Balance over the value of the collateral' })
  ltv!: LoanToValue;

  @Field(() => PrepaymentSpeed, { description: 'How fast debtors pay ahead of schedule' })
  prepayment!: PrepaymentSpeed;

  @Field(() => [TestedCovenant], { description: 'What the deed promises, tested' })
  covenants!: readonly TestedCovenant[];

  @Field(() => SeriesSubordination, { description: 'What stands below the senior series' })
  subordination!: SeriesSubordination;
}

/** Converts the live report to its type with raw values. */
export function toLiveReport({ report, generatedAt }: DatedReport): Shape<PortfolioReport> {
  return { month: null, status: null, version: null, reason: null, dataChanged: false, generatedAt, ...report };
}

/** Converts the report of a month to its type with raw values. */
export function toPortfolioReport({ report, ...rest }: MonthReport): Shape<PortfolioReport> {
  return { ...rest, ...report };
}
