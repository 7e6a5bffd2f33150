import { Directive, Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, MonthScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import {
  DebtorConcentration,
  PortfolioAgingBand,
  PortfolioProvisioning,
  PortfolioTotals,
} from './portfolio-sections.type.js';
import { over90 } from './over90.js';
import type { MonthStatus } from './report-months.js';
import {
  MonthStatusEnum,
  LoanToValue,
  PrepaymentSpeed,
  SeriesSubordination,
  TestedCovenant,
} from './risk-sections.type.js';
import type { Report } from './report-schema.js';
import type { DatedReport, MonthReport } from './report.store.js';

@ObjectType({ simpleResolvers: true, description: 'State of the management report of a month.' })
export class ReportMonthState {
  @Field(() => MonthScalar, { description: 'Month' })
  month!: string;

  @Field(() => MonthStatusEnum, { description: 'Whether the report still follows the data' })
  status!: MonthStatus;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the newest version, from 1, which each reissue increases by one; null while the report is preliminary',
  })
  version!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which that version was created; null while the report is preliminary',
  })
  generatedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Reason for the reissue; null for the first version' })
  reason!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after that version: the report may be wrong and can be reissued. False while the report is preliminary',
  })
  dataChanged!: boolean;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The public part of the management report of an operation, in raw values.',
})
export class PortfolioReport {
  @Field(() => MonthScalar, { nullable: true, description: 'Month of the report; null for the live position of today' })
  month!: string | null;

  @Field(() => MonthStatusEnum, {
    nullable: true,
    description: 'Whether the report of the month still follows the data; null for the live position',
  })
  status!: MonthStatus | null;

  @Field(() => Int, { nullable: true, description: 'Version of a final report; null otherwise' })
  version!: number | null;

  @Field(() => String, { nullable: true, description: 'Reason for the reissue; null for the first version' })
  reason!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after this version; false when the report follows the data',
  })
  dataChanged!: boolean;

  @Field(() => DateScalar, { description: 'Day of the report: today, or the last day of the month' })
  position!: string;

  @Field(() => DateTimeScalar, { description: 'Time at which it was created' })
  generatedAt!: Date;

  @Field(() => PortfolioTotals, { description: 'Totals of the portfolio' })
  portfolio!: PortfolioTotals;

  @Field(() => DebtorConcentration, { description: 'Concentration in few debtors' })
  concentration!: DebtorConcentration;

  @Field(() => [PortfolioAgingBand], { description: 'Balance by days late; all bands, including empty ones' })
  aging!: readonly PortfolioAgingBand[];

  @Field(() => PortfolioAgingBand, { description: 'The bands of more than 90 days together' })
  agingOver90!: PortfolioAgingBand;

  @Field(() => PortfolioProvisioning, { description: 'Expected losses by days late' })
  provisioning!: PortfolioProvisioning;

  @Field(() => LoanToValue, { description: 'Balance over the value of the collateral' })
  ltv!: LoanToValue;

  @Field(() => PrepaymentSpeed, { description: 'Speed at which debtors pay ahead of schedule' })
  prepayment!: PrepaymentSpeed;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [TestedCovenant], { description: 'Tests of the covenants of the deed' })
  covenants!: readonly TestedCovenant[];

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [TestedCovenant], {
    description: 'Those that are not fulfilled, cannot be computed, or have a caveat',
  })
  unmetCovenants!: readonly TestedCovenant[];

  @Field(() => SeriesSubordination, { description: 'Subordination to the senior series' })
  subordination!: SeriesSubordination;
}

/** Converts the live report to its type with raw values. */
export function toLiveReport({ report, generatedAt }: DatedReport): Shape<PortfolioReport> {
  return {
    month: null,
    status: null,
    version: null,
    reason: null,
    dataChanged: false,
    generatedAt,
    ...computed(report),
    ...report,
  };
}

/** Converts the report of a month to its type with raw values. */
export function toPortfolioReport({ report, ...rest }: MonthReport): Shape<PortfolioReport> {
  return { ...rest, ...computed(report), ...report };
}

/** Returns what is selected from, or added up over, the lists of a report. */
function computed({ aging, covenants }: Report): Pick<Shape<PortfolioReport>, 'agingOver90' | 'unmetCovenants'> {
  return {
    agingOver90: over90(aging),
    unmetCovenants: covenants.filter(({ fulfilled, caveat }) => fulfilled !== true || caveat !== null),
  };
}
