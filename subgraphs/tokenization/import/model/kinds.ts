import { type Kind, kind, optional, required } from '../../../../shared/import/model/kind.js';
import { assets, installments } from './assets.js';
import { patrimonies } from './patrimonies.js';
import { schedule } from './schedule.js';
import { tranches } from './tranches.js';
import { broken, settledBy } from '../../../../shared/import/import-rules.js';
import { date, month } from '../../../../shared/import/model/date-values.js';
import { decimal } from '../../../../shared/import/model/number-values.js';
import { covers, inOrder, notInTheFuture, type Rule } from '../../../../shared/import/model/rules.js';
import { oneOf } from '../../../../shared/import/model/text-values.js';
import { priceIndices } from '../../unit-price/policy.js';
import { label } from './values.js';

const dayThatPublishes: Rule = ({ index, date: day }, { calendar }) => {
  if (day == null) return undefined;
  if (index !== 'DI')
    return day.endsWith('-01')
      ? undefined
      : { field: 'date', error: broken('MONTHLY_INDEX', { value: day, index: index ?? '' }) };
  return covers(calendar, day) && calendar.isBusinessDay(day)
    ? undefined
    : { field: 'date', error: broken('NO_BUSINESS_DAY', { value: day }) };
};

const numberAboveZero: Rule = ({ index, value }) =>
  index === 'DI' || /[1-9]/.test(value ?? '')
    ? undefined
    : { field: 'value', error: broken('INDEX_NUMBER', { index: index ?? '' }) };

const indexValues = kind('indexValues', {
  label: 'index value',
  description:
    'Published market data: DI by business day, IPCA and IGP-M by month. A value that differs from the known one is a correction: ' +
    'it is stored as a new version, and the prices that depend on it are recalculated.',
  table: 'tokenization.index_values',
  key: ['index', 'date'],
  hasId: false,
  versioned: true,
  csv: true,
  settled: ({ today, priceDays }) =>
    `CASE WHEN o.index_name <> 'DI' THEN ${settledBy('SETTLED_PUBLISHED', {})}
       WHEN o.date < DATE '${today}' - ${priceDays} THEN ${settledBy('SETTLED_AGE', { days: String(priceDays) })} END`,
  fields: [
    required('index', oneOf('DI', ...priceIndices), 'Name of the index.', 'DI', { column: 'index_name' }),
    required(
      'date',
      date,
      'DI: the business day of the rate. IPCA and IGPM: the first day of the month. Not in the future.',
      '2026-11-19',
    ),
    required(
      'value',
      decimal(24, 10, { min: '0' }),
      'DI: percent a year. IPCA and IGPM: the index number (número-índice), not the variation.',
      '14.90',
    ),
    optional(
      'publishedOn',
      date,
      'Day of its publication, from which prices use an index number in place of a projection. When absent, it keeps its value, or is the day of the import in São Paulo for a new value.',
      '2026-11-19',
      { keeps: true },
    ),
  ],
  rules: [
    dayThatPublishes,
    numberAboveZero,
    notInTheFuture('date'),
    inOrder('date', 'publishedOn'),
    notInTheFuture('publishedOn'),
  ],
  stamps: [{ column: 'recorded_at', value: '$1', onChange: false }],
});

const projectedIndexValues = kind('projectedIndexValues', {
  label: 'projected index value',
  description:
    'Projections of index numbers that are not published yet: the number of the month before × (1 + percent ÷ 100). A day uses the newest projection that was ' +
    'published by then, until the number itself is published. One that differs from the known one is a correction, which needs a reason.',
  table: 'tokenization.projected_index_values',
  key: ['index', 'month', 'publishedOn'],
  hasId: false,
  versioned: true,
  csv: true,
  settled: () => settledBy('SETTLED_PUBLISHED', {}),
  fields: [
    required('index', oneOf(...priceIndices), 'Name of the index.', 'IPCA', { column: 'index_name' }),
    required('month', month, 'Month of the index number.', '2026-11'),
    optional(
      'percent',
      decimal(14, 8, { above: '-100' }),
      'Expected variation of the month, in percent. When absent, a projection that was imported by mistake is withdrawn.',
      '0.50',
    ),
    required(
      'publishedOn',
      date,
      'Day of its publication, from which prices use it. A later one of the same month takes its place from its own day on.',
      '2026-11-10',
    ),
    required('source', label, 'Who published it.', 'ANBIMA'),
  ],
  rules: [notInTheFuture('publishedOn')],
  stamps: [{ column: 'recorded_at', value: '$1', onChange: false }],
});

/** All kinds of records, parents before children: the order in which they are written. */
export const kinds: readonly Kind[] = [
  patrimonies,
  tranches,
  schedule,
  indexValues,
  projectedIndexValues,
  assets,
  installments,
];
