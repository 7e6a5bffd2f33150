import { ObjectType } from 'type-graphql';
import { RiskClassEnum } from '../../securities/risk-class.js';
import type { Covenant, CovenantCaveat, CovenantMetric } from './covenants.js';
import type { EndedSeries } from './subordination.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { MonthStatus } from './report-months.js';
import type { Report } from './report-schema.js';
import { decimal, fields, flag, int, list, month, nullable, of, text } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'Credits in a band of balance relative to collateral.' })
export class LoanToValueBand extends fields({
  label: text('Até 50%, 50-60%, … 90-100%, Acima de 100%; the upper bound belongs to the band'),
  contracts: int('Credits'),
  balance: decimal('Their balance'),
  share: decimal('Share of the balance that has collateral, in percent; the shares add up to 100.00'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Balance over the value of the collateral.' })
export class LoanToValue extends fields({
  ltv: nullable.decimal('LTV in percent; null when no credit has collateral'),
  contracts: int('Number of credits with collateral'),
  balance: decimal('Their balance'),
  collateral: decimal('Value of the collateral'),
  uncollateralizedBalance: decimal('Balance of the credits without collateral'),
  bands: list(() => LoanToValueBand, 'All bands, including empty ones'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Prepayment in one month.' })
export class PrepaymentInMonth extends fields({
  month: month('Month'),
  opening: decimal('Balance at the beginning of the month'),
  scheduled: decimal('Principal due according to the schedule'),
  prepaid: decimal('Principal paid ahead of schedule'),
  smm: nullable.decimal('SMM; null when no balance remained after scheduled principal'),
  cpr: nullable.decimal('CPR; null when no balance remained after scheduled principal'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'Speed at which debtors pay ahead of schedule. SMM = prepaid ÷ (opening balance − scheduled principal); CPR = 1 − (1 − SMM)^12; both in percent.',
})
export class PrepaymentSpeed extends fields({
  smm: nullable.decimal(
    'SMM of the month of the report, null when it has no positions; for the live position, of the latest month with positions',
  ),
  cpr: nullable.decimal('CPR of that month'),
  cprTwelveMonths: nullable.decimal('CPR over 12 months, compounded; null while fewer months have a speed'),
  measuredMonths: int('How many of the last 12 months have a speed'),
  months: list(() => PrepaymentInMonth, 'The last 12 months, oldest first', { assumedSize: 12 }),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Test of a covenant of the deed about a figure of the report.' })
export class TestedCovenant extends fields({
  name: text('Name'),
  metric: of(() => CovenantMetricEnum, 'The tested figure'),
  comparison: of(
    () => CovenantComparisonEnum,
    'Side of the threshold on which the figure must be; being equal to it is sufficient',
  ),
  threshold: decimal('The threshold, in percent'),
  value: nullable.decimal('The figure, in percent; null when it cannot be computed'),
  fulfilled: nullable.flag('Whether the covenant is fulfilled; null when it cannot be computed'),
  caveat: nullable.of(() => CovenantCaveatEnum, 'Caveat about the test; null without one'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'Amount owed to the holders of a series: number of units times unit price.',
})
export class SeriesOwed extends fields({
  number: int('Number of the series'),
  ticker: text('Ticker of the series'),
  class: of(() => RiskClassEnum, 'Risk class'),
  balance: decimal('Amount owed to the holders'),
  share: decimal('Share of all series, in percent; the shares add up to 100.00'),
  priceDate: nullable.day('Day of the unit price; null when it is the unit value at issue'),
  stale: flag('Whether a newer price was due on the day of the report'),
  overdueTotal: nullable.decimal(
    'What was due and unpaid beside `balance`, whose price is without it; null where an amount is not known, and in reports closed before it was computed',
  ),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A series without any amount owed, which is not part of the figures.',
})
export class SeriesEnded extends fields({
  number: int('Number of the series'),
  ticker: text('Ticker of the series'),
  class: of(() => RiskClassEnum, 'Risk class'),
  end: of(() => SeriesEndEnum, 'Reason for the end'),
  endedOn: nullable.day('Day on which it ended; null when only its status says that it ended'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Subordination to the senior series, of the outstanding series.' })
export class SeriesSubordination extends fields({
  series: list(() => SeriesOwed, 'The outstanding series', { assumedSize: 4 }),
  ended: list(() => SeriesEnded, 'Series that were redeemed or have matured', { assumedSize: 4 }),
  total: decimal('Amount owed to the holders of all series'),
  seniorBalance: decimal('Amount owed to the senior series'),
  mezzanineBalance: decimal('Amount owed to the mezzanine series'),
  juniorBalance: decimal('Amount owed to the junior series'),
  uniqueBalance: decimal('Amount owed to series without a class'),
  index: nullable.decimal(
    'Balance of mezzanine and junior series relative to all series, in percent; null without outstanding series',
  ),
  coverage: nullable.decimal(
    'Balance of the credits relative to all series, in percent; null without outstanding series',
  ),
}) {}

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
