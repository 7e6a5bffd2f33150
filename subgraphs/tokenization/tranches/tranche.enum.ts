import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { DayCount } from '../unit-price/day-count.js';
import { indexBases, indexProRatas, type IndexBase, type IndexProRata } from '../unit-price/index-bases.js';
import type { IndexerName, TrancheClass, TrancheStatus } from './tranche.js';

export const TrancheStatusEnum = describeEnum<TrancheStatus>('TrancheStatus', 'Status of a series.', {
  DRAFT: 'Being set up',
  ACTIVE: 'In force',
  FUNDRAISING: 'Offered to investors',
  CLOSED: 'Ended',
});

export const TrancheClassEnum = describeEnum<TrancheClass>(
  'TrancheClass',
  'Risk class of a series, which is the order in which series of an estate are paid and bear losses.',
  {
    SENIOR: 'Paid first, bears losses last',
    MEZZANINE: 'Between senior and junior',
    JUNIOR: 'Bears losses first',
    UNIQUE: 'The estate has one class only',
  },
);

export const DayCountBasisEnum = describeEnum<'CIVIL' | 'BUS252'>(
  'DayCountBasis',
  'Days that are counted for the interest of a series.',
  {
    CIVIL: 'Calendar days, over 365 or 360 according to the series',
    BUS252: 'Business days, over 252',
  },
);

export const DayCountEnum = describeEnum<DayCount>('DayCount', 'Day count: counted days, and days of a year.', {
  BUS252: 'Business days over 252',
  CIVIL_365: 'Calendar days over 365',
  CIVIL_360: 'Calendar days over 360',
});

export const IndexBaseEnum = describeEnum<IndexBase>(
  'IndexBase',
  'Day from which the factor of a price index runs: on that day the updated value became the nominal value, which the factor multiplies.',
  indexBases,
);

export const IndexProRataEnum = describeEnum<IndexProRata>(
  'IndexProRata',
  'Days over which the variation of a month of a price index is distributed.',
  indexProRatas,
);

export const TrancheIndexerEnum = describeEnum<IndexerName>(
  'TrancheIndexer',
  'Index of the remuneration, besides the rate.',
  {
    NONE: 'None: a fixed rate',
    DI: 'Interbank deposit rate, day by day',
    IPCA: 'Consumer price index of IBGE',
    IGPM: 'General market price index of FGV',
  },
);
