import { storedDecimals, toStoredRow, type StoredUnitPriceRow } from '../unit-price/stored-row.js';
import type { UnitPriceRow } from '../unit-price/unit-price.js';

type Field = keyof StoredUnitPriceRow;

interface Column {
  readonly field: Field;
  readonly column: string;
  readonly type: 'date' | 'integer' | 'numeric';
}

/** Where each part of a price is kept in `tokenization.unit_prices`. */
export const priceColumns: readonly Column[] = [
  { field: 'date', column: 'date', type: 'date' },
  { field: 'calendarVersion', column: 'calendar_version', type: 'integer' },
  { field: 'accrualStart', column: 'accrual_start', type: 'date' },
  { field: 'indexStart', column: 'index_start', type: 'date' },
  { field: 'businessDays', column: 'business_days', type: 'integer' },
  { field: 'calendarDays', column: 'calendar_days', type: 'integer' },
  { field: 'vne', column: 'vne', type: 'numeric' },
  { field: 'indexFactor', column: 'index_factor', type: 'numeric' },
  { field: 'vna', column: 'vna', type: 'numeric' },
  { field: 'diProduct', column: 'di_product', type: 'numeric' },
  { field: 'diFactor', column: 'di_factor', type: 'numeric' },
  { field: 'spreadFactor', column: 'spread_factor', type: 'numeric' },
  { field: 'interestFactor', column: 'interest_factor', type: 'numeric' },
  { field: 'interestJ', column: 'interest_j', type: 'numeric' },
  { field: 'unitPrice', column: 'unit_price', type: 'numeric' },
  { field: 'amortization', column: 'amortization', type: 'numeric' },
  { field: 'payment', column: 'payment', type: 'numeric' },
  { field: 'nextVne', column: 'next_vne', type: 'numeric' },
];

/** The columns of a price, each under the name of its field, for a SELECT from `alias`. */
export function selectPrice(alias: string): string {
  return priceColumns
    .map(({ field, column, type }) =>
      type === 'date' ? `to_char(${alias}.${column}, 'YYYY-MM-DD') AS "${field}"` : `${alias}.${column} AS "${field}"`,
    )
    .join(', ');
}

/** Whether two prices are the same in every digit; whichever version of the calendar their days were counted on. */
export function sameDigits(left: StoredUnitPriceRow, right: StoredUnitPriceRow): boolean {
  return priceColumns.every(({ field }) => field === 'calendarVersion' || left[field] === right[field]);
}

/** Every number has fewer digits before its point than any column takes. */
const limit = 10n ** 15n;

/** A row as it is stored. @throws {RangeError} for a number that the table has no room for */
export function toKeptRow(row: UnitPriceRow): StoredUnitPriceRow {
  const kept = toStoredRow(row);
  for (const field of decimalFields) {
    if (row[field].abs().gte(limit.toString())) throw new RangeError(`${field} of ${row.date} is beyond any price`);
  }
  return kept;
}

const decimalFields = priceColumns
  .map(({ field }) => field)
  .filter((field): field is keyof typeof storedDecimals => field in storedDecimals);
