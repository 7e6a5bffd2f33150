import { Field, Int, ObjectType, Directive } from 'type-graphql';
import { DateScalar, DecimalScalar, DateTimeScalar, MonthScalar } from '../../../shared/graphql/scalars.js';
import type { Report } from './report-schema.js';
import {
  ProvisioningMatrixEnum,
  MonthStatusEnum,
  LoanToValue,
  PrepaymentSpeed,
  SeriesSubordination,
  TestedCovenant,
} from './risk-sections.type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { over90 } from './over90.js';
import type { MonthStatus } from './report-months.js';
import type { DatedReport, MonthReport } from './report.store.js';
import {
  AgingSection,
  ConcentrationSection,
  PortfolioSection,
  ProvisioningSection,
  CovenantLine,
  LtvSection,
  PrepaymentSection,
  SubordinationSection,
} from './management-report.type.js';

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

  @Field(() => String, {
    nullable: true,
    description:
      'Reason for the reissue, or for closing the month although something of it was missing; null otherwise',
  })
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

  @Field(() => String, {
    nullable: true,
    description:
      'Reason for the reissue, or for closing the month although something of it was missing; null otherwise',
  })
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

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [PortfolioDelinquency], {
    description:
      'Delinquency by balance of the credits in arrears and by overdue instalments, over 0, 30, 60 and 90 days',
  })
  delinquency!: readonly PortfolioDelinquency[];

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

@ObjectType({ simpleResolvers: true, description: 'Totals of the credits with one indexer.' })
export class PortfolioRate {
  @Field(() => String, { description: 'Indexer' })
  indexer!: string;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Share of the balance, in percent; the shares add up to 100.00' })
  share!: string;

  @Field(() => DecimalScalar, { description: 'Fixed rate or spread in percent per year, weighted by balance' })
  averageRate!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Totals of a portfolio of credits.' })
class PortfolioTotals {
  @Field(() => DateScalar, {
    nullable: true,
    description: 'Last day on which balances are known; null without credits',
  })
  baseDate!: string | null;

  @Field(() => Int, { description: 'Number of credits with a balance' })
  contracts!: number;

  @Field(() => Int, { description: 'Number of their debtors' })
  debtors!: number;

  @Field(() => DecimalScalar, { description: 'Outstanding balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Total original value of these credits' })
  originalValue!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Average balance of a credit' })
  averageTicket!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Calendar days to maturity, weighted by balance' })
  averageTermDays!: string | null;

  @Field(() => DecimalScalar, {
    description: 'Whole balance of the credits that are at least one day late, also what is not due yet',
  })
  overdueBalance!: string;

  @Field(() => DecimalScalar, { description: 'That balance relative to the portfolio, in percent' })
  overdueShare!: string;

  @Field(() => [PortfolioRate], { description: 'Totals by indexer' })
  rates!: readonly PortfolioRate[];

  @Field(() => Int, { description: 'Number of credits that were paid off' })
  settledContracts!: number;

  @Field(() => Int, { description: 'Number of credits that were written off' })
  writtenOffContracts!: number;

  @Field(() => DecimalScalar, { description: 'Written-off balance, which is not part of the portfolio' })
  writtenOffBalance!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Totals of the largest debtors.' })
export class LargestDebtorGroup {
  @Field(() => Int, { description: 'Number of debtors: 1, 5, 10 or 20' })
  debtors!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Share of the portfolio of these debtors, in percent' })
  share!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Concentration of the portfolio in few debtors.' })
class DebtorConcentration {
  @Field(() => [LargestDebtorGroup], { description: 'Totals of the largest 1, 5, 10 and 20 debtors' })
  largest!: readonly LargestDebtorGroup[];

  @Field(() => DecimalScalar, {
    description:
      "Herfindahl-Hirschman index: the sum of the squares of the debtors' shares in percent, from 0 to 10000 (a single debtor)",
  })
  hhi!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Balance in a band of days late.' })
class PortfolioAgingBand {
  @Field(() => String, { description: 'A vencer, 1-30, 31-60, 61-90, 91-120, 121-150, 151-180, 181-360 or 360+' })
  label!: string;

  @Field(() => Int, { description: 'First number of days late' })
  fromDays!: number;

  @Field(() => Int, { nullable: true, description: 'Last number of days late; null for the open end' })
  toDays!: number | null;

  @Field(() => Int, { description: 'Credits' })
  contracts!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Share of the portfolio, in percent; the shares add up to 100.00' })
  share!: string;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Delinquency of the credits whose oldest unpaid instalment is more than some days late: by their whole balance, and by their overdue instalments only.',
})
export class PortfolioDelinquency {
  @Field(() => Int, { description: 'Days late above which a credit counts: 0, 30, 60 or 90' })
  overDays!: number;

  @Field(() => Int, { description: 'Credits' })
  contracts!: number;

  @Field(() => DecimalScalar, { description: 'Whole balance of these credits, also what is not due yet' })
  balance!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'That balance relative to the portfolio, in percent; null for an empty portfolio',
  })
  balanceShare!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Instalments of these credits that are due and unpaid; null while the amount of one of them is not known',
  })
  overdueInstalments!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'These instalments relative to the balance of the portfolio, in percent; null where they are, and for an empty portfolio',
  })
  overdueShare!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Provision for the credits in a band of days late.' })
export class ProvisioningBand {
  @Field(() => String, { description: 'Estágio 1, Estágio 2 or Estágio 3, or a name from the matrix of the operation' })
  label!: string;

  @Field(() => Int, { description: 'First number of days late' })
  fromDays!: number;

  @Field(() => Int, { nullable: true, description: 'Last number of days late; null for the open end' })
  toDays!: number | null;

  @Field(() => DecimalScalar, { description: 'Provisioned share, in percent' })
  rate!: string;

  @Field(() => Int, { description: 'Credits' })
  contracts!: number;

  @Field(() => DecimalScalar, { description: 'Their balance' })
  balance!: string;

  @Field(() => DecimalScalar, { description: 'Provision for these credits' })
  provision!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Expected losses by days late.' })
class PortfolioProvisioning {
  @Field(() => ProvisioningMatrixEnum, { description: 'Origin of the matrix' })
  matrix!: Report['provisioning']['matrix'];

  @Field(() => [ProvisioningBand], { description: 'All bands, including empty ones' })
  bands!: readonly ProvisioningBand[];

  @Field(() => DecimalScalar, { description: 'Total provision' })
  total!: string;

  @Field(() => DecimalScalar, { description: 'Total provision relative to the balance of the portfolio, in percent' })
  share!: string;
}

// The REST view: display strings in Brazilian format, with the names of docs/contract/issuances.md §4.4.

@ObjectType({ simpleResolvers: true, description: 'State of the management report of a month.' })
export class ReportMonthDetail {
  @Field(() => String, { description: 'Month, `YYYY-MM`' })
  month!: string;

  @Field(() => String, {
    description:
      '`preliminar` until the positions of the month are complete, during which it is computed at each request; then `final`',
  })
  situacao!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of the newest version, from 1, which each reissue increases by one; null while the report is preliminary',
  })
  versao!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which that version was created (UTC); null while the report is preliminary',
  })
  generatedAt!: Date | null;

  @Field(() => Boolean, {
    description:
      'Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after that version; false while the report is preliminary',
  })
  dataChanged!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'The months for which an operation has a management report.' })
export class ReportMonths {
  @Field(() => String, { description: 'Ticker of the operation' })
  ticker!: string;

  @Field(() => [String], { description: 'Months, `YYYY-MM`, newest first' })
  months!: readonly string[];

  @Directive('@listSize(assumedSize: 60)')
  @Field(() => [ReportMonthDetail], { description: 'The same months in the same order, with the state of each report' })
  details!: readonly ReportMonthDetail[];
}

@ObjectType({ simpleResolvers: true, description: 'The public part of the management report of an operation.' })
export class ManagementReport {
  @Field(() => String, { description: 'Ticker of the operation' })
  ticker!: string;

  @Field(() => String, { nullable: true, description: 'Month, `YYYY-MM`; null for the live position of today' })
  month!: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`preliminar` until the positions of the month are complete, then `final`; null for the live position',
  })
  situacao!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Version of a final report, from 1, which each reissue increases by one; null otherwise',
  })
  versao!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Reason for the reissue, or for closing the month although something of it was missing; null otherwise',
  })
  motivo!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after this version; false when the report follows the data',
  })
  dataChanged!: boolean;

  @Field(() => DateTimeScalar, { description: 'Time at which it was created (UTC)' })
  generatedAt!: Date;

  @Field(() => String, { description: 'Day of the report, `DD/MM/YYYY`: today, or the last day of the month' })
  position!: string;

  @Field(() => PortfolioSection, { description: 'Totals of the portfolio' })
  carteira!: PortfolioSection;

  @Field(() => ConcentrationSection, { description: 'Concentration in few debtors' })
  concentracao!: ConcentrationSection;

  @Field(() => AgingSection, { description: 'Balance by days late' })
  aging!: AgingSection;

  @Field(() => ProvisioningSection, { description: 'Expected losses by days late' })
  provisionamento!: ProvisioningSection;

  @Field(() => LtvSection, { description: 'Balance over the value of the collateral' })
  ltv!: LtvSection;

  @Field(() => PrepaymentSection, { description: 'Speed at which debtors pay ahead of schedule' })
  prePagamento!: PrepaymentSection;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [CovenantLine], { description: 'Tests of the covenants of the deed' })
  covenants!: readonly CovenantLine[];

  @Field(() => SubordinationSection, { description: 'Subordination to the senior series' })
  subordinacao!: SubordinationSection;

  @Field(() => PortfolioReport, { description: 'The same report in raw values: decimals, and dates as `YYYY-MM-DD`' })
  numeros!: PortfolioReport;
}
