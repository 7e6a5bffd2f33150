import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { DayCount } from '../unit-price/day-count.js';
import { indexBases, indexProRatas, type IndexBase, type IndexProRata } from '../unit-price/index-bases.js';
import type { TrancheStatus } from './tranche.js';

export const TrancheStatusEnum = describeEnum<TrancheStatus>(
  'TrancheStatus',
  'Status of a series.',
  {
    DRAFT: 'Being set up',
    ACTIVE: 'In force',
    FUNDRAISING: 'Offered to investors',
    CLOSED: 'Ended',
  },
  {
    DRAFT: ['Em estruturação', 'Draft'],
    ACTIVE: ['Ativa', 'Active'],
    FUNDRAISING: ['Em captação', 'Fundraising'],
    CLOSED: ['Encerrada', 'Closed'],
  },
);

export const DayCountBasisEnum = describeEnum<'CIVIL' | 'BUS252'>(
  'DayCountBasis',
  'Days that are counted for the interest of a series.',
  {
    CIVIL: 'Calendar days, over 365 or 360 according to the series',
    BUS252: 'Business days, over 252',
  },
  { CIVIL: ['Dias corridos', 'Calendar days'], BUS252: ['Dias úteis/252', 'Business days/252'] },
);

export const DayCountEnum = describeEnum<DayCount>(
  'DayCount',
  'Day count: counted days, and days of a year.',
  {
    BUS252: 'Business days over 252',
    CIVIL_365: 'Calendar days over 365',
    CIVIL_360: 'Calendar days over 360',
  },
  {
    BUS252: ['Dias úteis/252', 'Business days/252'],
    CIVIL_365: ['Dias corridos/365', 'Calendar days/365'],
    CIVIL_360: ['Dias corridos/360', 'Calendar days/360'],
  },
);

export const IndexBaseEnum = describeEnum<IndexBase>(
  'IndexBase',
  'Day from which the factor of a price index runs: on that day the updated value became the nominal value, which the factor multiplies.',
  indexBases,
  {
    START: ['Início da série', 'Start of the series'],
    YEARLY: ['Último aniversário anual', 'Last yearly anniversary'],
    ANNIVERSARY: ['Último aniversário mensal', 'Last monthly anniversary'],
    LAST_EVENT: ['Último evento', 'Last event'],
  },
);

export const IndexProRataEnum = describeEnum<IndexProRata>(
  'IndexProRata',
  'Days over which the variation of a month of a price index is distributed.',
  indexProRatas,
  {
    BUSINESS_DAYS: ['Dias úteis', 'Business days'],
    CALENDAR_DAYS: ['Dias corridos', 'Calendar days'],
    CALENDAR_DAYS_FOLLOWING: [
      'Dias corridos, aniversário no dia útil seguinte',
      'Calendar days, anniversary on the following business day',
    ],
  },
);
