import { ObjectType } from 'type-graphql';
import { type Report, over90 } from './report-schema.js';
import {
  ProvisioningMatrixEnum,
  MonthStatusEnum,
  LoanToValue,
  PrepaymentSpeed,
  SeriesSubordination,
  TestedCovenant,
} from './risk-sections.type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
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
import {
  day,
  decimal,
  fields,
  flag,
  int,
  list,
  month,
  nullable,
  of,
  text,
  texts,
  time,
} from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'State of the management report of a month.' })
export class ReportMonthState extends fields({
  month: month('Month'),
  status: of(() => MonthStatusEnum, 'Whether the report still follows the data'),
  version: nullable.int(
    'Number of the newest version, from 1, which each reissue increases by one; null while the report is preliminary',
  ),
  generatedAt: nullable.time('Time at which that version was created; null while the report is preliminary'),
  reason: nullable.text(
    'Reason for the reissue, or for closing the month although something of it was missing; null otherwise',
  ),
  dataChanged: flag(
    'Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after that version: the report may be wrong and can be reissued. False while the report is preliminary',
  ),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'The public part of the management report of an operation, in raw values.',
})
export class PortfolioReport extends fields({
  month: nullable.month('Month of the report; null for the live position of today'),
  status: nullable.of(
    () => MonthStatusEnum,
    'Whether the report of the month still follows the data; null for the live position',
  ),
  version: nullable.int('Version of a final report; null otherwise'),
  reason: nullable.text(
    'Reason for the reissue, or for closing the month although something of it was missing; null otherwise',
  ),
  dataChanged: flag(
    'Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after this version; false when the report follows the data',
  ),
  position: day('Day of the report: today, or the last day of the month'),
  generatedAt: time('Time at which it was created'),
  portfolio: of(() => PortfolioTotals, 'Totals of the portfolio'),
  concentration: of(() => DebtorConcentration, 'Concentration in few debtors'),
  aging: list(() => PortfolioAgingBand, 'Balance by days late; all bands, including empty ones'),
  agingOver90: of(() => PortfolioAgingBand, 'The bands of more than 90 days together'),
  delinquency: list(
    () => PortfolioDelinquency,
    'Delinquency by balance of the credits in arrears and by overdue instalments, over 0, 30, 60 and 90 days',
    { assumedSize: 4 },
  ),
  provisioning: of(() => PortfolioProvisioning, 'Expected losses by days late'),
  ltv: of(() => LoanToValue, 'Balance over the value of the collateral'),
  prepayment: of(() => PrepaymentSpeed, 'Speed at which debtors pay ahead of schedule'),
  covenants: list(() => TestedCovenant, 'Tests of the covenants of the deed', { assumedSize: 20 }),
  unmetCovenants: list(() => TestedCovenant, 'Those that are not fulfilled, cannot be computed, or have a caveat', {
    assumedSize: 4,
  }),
  subordination: of(() => SeriesSubordination, 'Subordination to the senior series'),
}) {}

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

export function toPortfolioReport({ report, ...rest }: MonthReport): Shape<PortfolioReport> {
  return { ...rest, ...computed(report), ...report };
}

/** Returns the fields that are selected from, or added up over, the lists of a report. */
function computed({ aging, covenants }: Report): Pick<Shape<PortfolioReport>, 'agingOver90' | 'unmetCovenants'> {
  return {
    agingOver90: over90(aging),
    unmetCovenants: covenants.filter(({ fulfilled, caveat }) => fulfilled !== true || caveat !== null),
  };
}

@ObjectType({ simpleResolvers: true, description: 'Totals of the credits with one indexer.' })
export class PortfolioRate extends fields({
  indexer: text('Indexer'),
  balance: decimal('Their balance'),
  share: decimal('Share of the balance, in percent; the shares add up to 100.00'),
  averageRate: decimal('Fixed rate or spread in percent per year, weighted by balance'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Totals of a portfolio of credits.' })
class PortfolioTotals extends fields({
  baseDate: nullable.day('Last day on which balances are known; null without credits'),
  contracts: int('Number of credits with a balance'),
  debtors: int('Number of their debtors'),
  balance: decimal('Outstanding balance'),
  originalValue: decimal('Total original value of these credits'),
  averageTicket: nullable.decimal('Average balance of a credit'),
  averageTermDays: nullable.decimal('Calendar days to maturity, weighted by balance'),
  overdueBalance: decimal('Whole balance of the credits that are at least one day late, also what is not due yet'),
  overdueShare: decimal('That balance relative to the portfolio, in percent'),
  rates: list(() => PortfolioRate, 'Totals by indexer; fixed credits of which no rate is known apart, at 0'),
  settledContracts: int('Number of credits that were paid off'),
  writtenOffContracts: int('Number of credits that were written off'),
  writtenOffBalance: decimal('Written-off balance, which is not part of the portfolio'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Totals of the largest debtors.' })
export class LargestDebtorGroup extends fields({
  debtors: int('Number of debtors: 1, 5, 10 or 20'),
  balance: decimal('Their balance'),
  share: decimal('Share of the portfolio of these debtors, in percent'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Concentration of the portfolio in few debtors.' })
class DebtorConcentration extends fields({
  largest: list(() => LargestDebtorGroup, 'Totals of the largest 1, 5, 10 and 20 debtors'),
  hhi: decimal(
    "Herfindahl-Hirschman index: the sum of the squares of the debtors' shares in percent, from 0 to 10000 (a single debtor)",
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Balance in a band of days late.' })
class PortfolioAgingBand extends fields({
  label: text('A vencer, 1-30, 31-60, 61-90, 91-120, 121-150, 151-180, 181-360 or 360+'),
  fromDays: int('First number of days late'),
  toDays: nullable.int('Last number of days late; null for the open end'),
  contracts: int('Credits'),
  balance: decimal('Their balance'),
  share: decimal('Share of the portfolio, in percent; the shares add up to 100.00'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'Delinquency of the credits whose oldest unpaid instalment is more than some days late: by their whole balance, and by their overdue instalments only.',
})
export class PortfolioDelinquency extends fields({
  overDays: int('Days late above which a credit counts: 0, 30, 60 or 90'),
  contracts: int('Credits'),
  balance: decimal('Whole balance of these credits, also what is not due yet'),
  balanceShare: nullable.decimal('That balance relative to the portfolio, in percent; null for an empty portfolio'),
  overdueInstalments: nullable.decimal(
    'Instalments of these credits that are due and unpaid; null while the amount of one of them is not known',
  ),
  overdueShare: nullable.decimal(
    'These instalments relative to the balance of the portfolio, in percent; null where they are, and for an empty portfolio',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Provision for the credits in a band of days late.' })
export class ProvisioningBand extends fields({
  label: text('Estágio 1, Estágio 2 or Estágio 3, or a name from the matrix of the operation'),
  fromDays: int('First number of days late'),
  toDays: nullable.int('Last number of days late; null for the open end'),
  rate: decimal('Provisioned share, in percent'),
  contracts: int('Credits'),
  balance: decimal('Their balance'),
  provision: decimal('Provision for these credits'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Expected losses by days late.' })
class PortfolioProvisioning extends fields({
  matrix: of(() => ProvisioningMatrixEnum, 'Origin of the matrix'),
  bands: list(() => ProvisioningBand, 'All bands, including empty ones'),
  total: decimal('Total provision'),
  share: decimal('Total provision relative to the balance of the portfolio, in percent'),
}) {}

// The REST view: display strings in Brazilian format, with the names of docs/contract/issuances.md §4.4.

@ObjectType({ simpleResolvers: true, description: 'State of the management report of a month.' })
export class ReportMonthDetail extends fields({
  month: text('Month, `YYYY-MM`'),
  situacao: text(
    '`preliminar` until the positions of the month are complete, during which it is computed at each request; then `final`',
  ),
  versao: nullable.int(
    'Number of the newest version, from 1, which each reissue increases by one; null while the report is preliminary',
  ),
  generatedAt: nullable.time('Time at which that version was created (UTC); null while the report is preliminary'),
  dataChanged: flag(
    'Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after that version; false while the report is preliminary',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The months for which an operation has a management report.' })
export class ReportMonths extends fields({
  ticker: text('Ticker of the operation'),
  months: texts('Months, `YYYY-MM`, newest first'),
  details: list(() => ReportMonthDetail, 'The same months in the same order, with the state of each report', {
    assumedSize: 60,
  }),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The public part of the management report of an operation.' })
export class ManagementReport extends fields({
  ticker: text('Ticker of the operation'),
  month: nullable.text('Month, `YYYY-MM`; null for the live position of today'),
  situacao: nullable.text(
    '`preliminar` until the positions of the month are complete, then `final`; null for the live position',
  ),
  versao: nullable.int('Version of a final report, from 1, which each reissue increases by one; null otherwise'),
  motivo: nullable.text(
    'Reason for the reissue, or for closing the month although something of it was missing; null otherwise',
  ),
  dataChanged: flag(
    'Whether its inputs (positions of the month, write-offs, prices in force at its end) changed after this version; false when the report follows the data',
  ),
  generatedAt: time('Time at which it was created (UTC)'),
  position: text('Day of the report, `DD/MM/YYYY`: today, or the last day of the month'),
  carteira: of(() => PortfolioSection, 'Totals of the portfolio'),
  concentracao: of(() => ConcentrationSection, 'Concentration in few debtors'),
  aging: of(() => AgingSection, 'Balance by days late'),
  provisionamento: of(() => ProvisioningSection, 'Expected losses by days late'),
  ltv: of(() => LtvSection, 'Balance over the value of the collateral'),
  prePagamento: of(() => PrepaymentSection, 'Speed at which debtors pay ahead of schedule'),
  covenants: list(() => CovenantLine, 'Tests of the covenants of the deed', { assumedSize: 20 }),
  subordinacao: of(() => SubordinationSection, 'Subordination to the senior series'),
  numeros: of(() => PortfolioReport, 'The same report in raw values: decimals, and dates as `YYYY-MM-DD`'),
}) {}
