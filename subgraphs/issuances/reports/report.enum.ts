import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { Covenant, CovenantCaveat, CovenantMetric } from './covenants.js';
import type { MonthStatus } from './report-months.js';
import type { Report } from './report-schema.js';
import type { EndedSeries } from './subordination.js';

export const ProvisioningMatrixEnum = describeEnum<Report['provisioning']['matrix']>(
  'ProvisioningMatrix',
  'Whose provisioning matrix was used.',
  {
    HOUSE: "The house's: risk classes and minimum provisions of Resolução CMN 2.682/1999",
    OPERATION: "The operation's own",
  },
);

export const CovenantComparisonEnum = describeEnum<Covenant['comparison']>(
  'CovenantComparison',
  'On which side of its threshold a figure has to be.',
  { AT_LEAST: 'Not below it', AT_MOST: 'Not above it' },
);

export const CovenantMetricEnum = describeEnum<CovenantMetric>('CovenantMetric', 'A figure of the management report.', {
  SUBORDINATION: 'Mezzanine and junior series over all series',
  COVERAGE: 'Balance of the credits over the balance of all series',
  LTV: 'Balance over collateral',
  LARGEST_DEBTOR: 'Share of the largest debtor',
  LARGEST_5_DEBTORS: 'Share of the largest 5 debtors',
  LARGEST_10_DEBTORS: 'Share of the largest 10 debtors',
  LARGEST_20_DEBTORS: 'Share of the largest 20 debtors',
  OVERDUE_OVER_30: 'Share of what is more than 30 days late',
  OVERDUE_OVER_90: 'Share of what is more than 90 days late',
  PROVISION: 'What is provisioned over the balance',
});

export const CovenantCaveatEnum = describeEnum<CovenantCaveat>(
  'CovenantCaveat',
  'Why the test of a covenant is to be read with care.',
  {
    NOT_COMPUTABLE: 'Its figure cannot be computed, as an LTV without collateral',
    STALE_PRICE: 'Its figure rests on the unit price of a series that is older than the last one that was due',
  },
);

export const SeriesEndEnum = describeEnum<EndedSeries['end']>('SeriesEnd', 'How a series came to an end.', {
  REDEEMED: 'It was redeemed as a whole',
  MATURED: 'It matured, and no payment of it is open',
});

export const MonthStatusEnum = describeEnum<MonthStatus>(
  'ReportMonthStatus',
  'Whether the report of a month still follows the data.',
  {
    PRELIMINARY: 'The positions of the month are not complete: the report is computed when it is read',
    FINAL: 'The report is stored, and changes by a further version only',
  },
);
