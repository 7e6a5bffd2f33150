import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { Covenant, CovenantMetric } from './covenants.js';
import type { Report } from './report-schema.js';

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
