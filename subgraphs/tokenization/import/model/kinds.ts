import { type Kind, kind, required } from '../../../../shared/import/model/kind.js';
import { assets, installments } from './assets.js';
import { patrimonies } from './patrimonies.js';
import { schedule } from './schedule.js';
import { tranches } from './tranches.js';
import { broken, settledBy } from '../../../../shared/import/import-rules.js';
import { date } from '../../../../shared/import/model/date-values.js';
import { decimal } from '../../../../shared/import/model/number-values.js';
import { covers, notInTheFuture, type Rule } from '../../../../shared/import/model/rules.js';
import { oneOf } from '../../../../shared/import/model/text-values.js';

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
  // The number of a month is published in the middle of the following month.
  settled: ({ today, priceDays }) =>
    `CASE WHEN o.date + CASE o.index_name WHEN 'DI' THEN interval '0' ELSE interval '2 months' END < DATE '${today}' - ${priceDays}
       THEN ${settledBy('SETTLED_AGE', { days: String(priceDays) })} END`,
  fields: [
    required('index', oneOf('DI', 'IPCA', 'IGPM'), 'Name of the index.', 'DI', { column: 'index_name' }),
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
  ],
  rules: [dayThatPublishes, numberAboveZero, notInTheFuture('date')],
  stamps: [{ column: 'recorded_at', value: '$1', onChange: false }],
});

/** All kinds of records, parents before children: the order in which they are written. */
export const kinds: readonly Kind[] = [patrimonies, tranches, schedule, indexValues, assets, installments];
