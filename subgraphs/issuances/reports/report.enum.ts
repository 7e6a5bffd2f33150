import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { Covenant, CovenantCaveat, CovenantMetric } from './covenants.js';
import type { MonthStatus } from './report-months.js';
import type { Report } from './report-schema.js';
import type { EndedSeries } from './subordination.js';

export const ProvisioningMatrixEnum = describeEnum<Report['provisioning']['matrix']>(
  'ProvisioningMatrix',
  'Origin of the provisioning matrix.',
  {
    HOUSE: 'The default: risk classes and minimum provisions of Resolução CMN 2.682/1999',
    OPERATION: 'The matrix of the operation',
  },
  {
    HOUSE: ['Resolução CMN 2.682/1999', 'Resolution CMN 2,682/1999'],
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

export const SeriesEndEnum = describeEnum<EndedSeries['end']>(
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
