import { storedDecimals, toStoredRow, type StoredUnitPriceRow } from '../unit-price/stored-row.js';
import type { UnitPriceRow } from '../unit-price/unit-price.js';

type Field = keyof StoredUnitPriceRow;

interface Column {
  readonly field: Field;
  readonly column: string;
  readonly type: 'date' | 'integer' | 'numeric' | 'boolean';
}

export const priceColumns: readonly Column[] = [
  { field: 'date', column: 'date', type: 'date' },
  { field: 'calendarVersion', column: 'calendar_version', type: 'integer' },
  { field: 'accrualStart', column: 'accrual_start', type: 'date' },
  { field: 'indexStart', column: 'index_start', type: 'date' },
  { field: 'businessDays', column: 'business_days', type: 'integer' },
  { field: 'calendarDays', column: 'calendar_days', type: 'integer' },
  { field: 'vne', column: 'vne', type: 'numeric' },
  { field: 'indexFactor', column: 'index_factor', type: 'numeric' },
  { field: 'projected', column: 'projected', type: 'boolean' },
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

/** Returns the columns of a price, each named after its field, for a SELECT from `alias`. */
export function selectPrice(alias: string): string {
  return priceColumns
    .map(({ field, column, type }) =>
      type === 'date' ? `to_char(${alias}.${column}, 'YYYY-MM-DD') AS "${field}"` : `${alias}.${column} AS "${field}"`,
    )
    .join(', ');
}

/** Whether two prices are equal in every digit and equally projected, regardless of the calendar versions that they used. */
export function sameDigits(left: StoredUnitPriceRow, right: StoredUnitPriceRow): boolean {
  return priceColumns.every(({ field }) => field === 'calendarVersion' || left[field] === right[field]);
}

/** Every number has fewer integer digits than its column allows. */
const limit = 10n ** 15n;

/** @throws {RangeError} for a number too large for the table */
export function toKeptRow(row: UnitPriceRow): StoredUnitPriceRow {
  const kept = toStoredRow(row);
  for (const field of decimalFields) {
    if (row[field].abs().gte(limit.toString()))
      throw new RangeError(`${field} of ${row.date} is too large to be stored`);
  }
  return kept;
}

const decimalFields = priceColumns
  .map(({ field }) => field)
  .filter((field): field is keyof typeof storedDecimals => field in storedDecimals);
