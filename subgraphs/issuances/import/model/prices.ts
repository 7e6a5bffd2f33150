import { settledBy } from '../../../../shared/import/import-rules.js';
import { date } from '../../../../shared/import/model/date-values.js';
import { kind, required, type Parent, type SettledLimits } from '../../../../shared/import/model/kind.js';
import { decimal } from '../../../../shared/import/model/number-values.js';
import { notInTheFuture } from '../../../../shared/import/model/rules.js';
import { label } from '../../../../shared/import/model/text-values.js';
import { series } from './operations.js';

const unitPrice = decimal(24, 8, { min: '0' });

const settled = ({ today, priceDays }: SettledLimits) =>
  `CASE WHEN o.date < DATE '${today}' - ${priceDays} THEN ${settledBy('SETTLED_AGE', { days: String(priceDays) })} END`;

const ofSeries: Parent = {
  kind: series,
  columns: [
    {
      name: 'owner_series',
      sql: 'text',
      folds: true,
      field: required('trancheTicker', label, 'Ticker of the series.', 'AURORA1S1'),
      known: { table: 'known_series', kind: series },
    },
  ],
  source: {
    owner: [['series_id', 'k.id']],
    join: 'JOIN known_series k ON k.ticker = lower(s.owner_series)',
    affected: 'k.operation_id',
  },
};

export const unitPrices = kind('unitPrices', {
  label: 'unit price',
  description: "The issuer's unit prices (PU), one per series and day. Days that are not listed keep their prices.",
  table: 'issuances.unit_prices',
  parent: ofSeries,
  key: ['date'],
  hasId: false,
  csv: true,
  settled,
  newest: 'max(date)::text',
  moved: `SELECT round((n.value / nullif(b.value, 0) - 1) * 100, 4) FROM issuances.unit_prices b
    WHERE b.series_id = n.series_id AND b.date < n.date ORDER BY b.date DESC LIMIT 1`,
  fields: [
    required('date', date, 'Day of the price: not in the future, and within the life of the series.', '2026-10-30'),
    required(
      'value',
      unitPrice,
      'Price of one unit with accrued interest, in reais, at most 8 decimals.',
      '1013.84729105',
    ),
  ],
  rules: [notInTheFuture('date')],
});

export const trusteeUnitPrices = kind('trusteeUnitPrices', {
  label: 'trustee unit price',
  description:
    'Unit prices that an independent trustee firm publishes for the series. Days that are not listed keep their prices.',
  table: 'issuances.trustee_unit_prices',
  parent: ofSeries,
  key: ['date'],
  hasId: false,
  csv: true,
  settled,
  fields: [
    required('date', date, 'Day of the price.', '2026-11-19'),
    required('value', unitPrice, 'Price of one unit in reais, at most 8 decimals.', '1013.84729104'),
    required('trustee', label, 'Name of the firm.', 'Vigília DTVM Ltda.'),
  ],
  rules: [notInTheFuture('date')],
});
