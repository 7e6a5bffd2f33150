import { Decimal } from '../../../shared/kernel/decimal.js';
import type { UnitPriceRow } from './unit-price.js';

export const storedDecimals = {
  vne: 8,
  indexFactor: 8,
  vna: 8,
  diProduct: 16,
  diFactor: 8,
  spreadFactor: 9,
  interestFactor: 9,
  interestJ: 8,
  unitPrice: 8,
  amortization: 18,
  payment: 18,
  nextVne: 8,
} as const satisfies Partial<Record<keyof UnitPriceRow, number>>;

type DecimalField = keyof typeof storedDecimals;

/** A row with its decimals as text of a fixed number of decimals: the stored form, in which digits are compared. */
export type StoredUnitPriceRow = Omit<UnitPriceRow, DecimalField> & Readonly<Record<DecimalField, string>>;

/** Converts a row to its stored form. @throws {RangeError} for a number that would lose digits */
export function toStoredRow(row: UnitPriceRow): StoredUnitPriceRow {
  const text = (field: DecimalField) => {
    const places = storedDecimals[field];
    if (row[field].dp() > places)
      throw new RangeError(`${field} has more than ${places} decimals: ${row[field].toString()}`);
    return row[field].toFixed(places);
  };
  return { ...row, ...mapFields(text) };
}

export function fromStoredRow(row: StoredUnitPriceRow): UnitPriceRow {
  return { ...row, ...mapFields((field) => new Decimal(row[field])) };
}

function mapFields<T>(of: (field: DecimalField) => T): Record<DecimalField, T> {
  return {
    vne: of('vne'),
    indexFactor: of('indexFactor'),
    vna: of('vna'),
    diProduct: of('diProduct'),
    diFactor: of('diFactor'),
    spreadFactor: of('spreadFactor'),
    interestFactor: of('interestFactor'),
    interestJ: of('interestJ'),
    unitPrice: of('unitPrice'),
    amortization: of('amortization'),
    payment: of('payment'),
    nextVne: of('nextVne'),
  };
}
