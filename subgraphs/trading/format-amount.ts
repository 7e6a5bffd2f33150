import { Decimal } from '../../shared/kernel/decimal.js';

/** The same value reads the same everywhere; finer digits, as exchanges may report, are kept. */
export function formatAmount(value: Decimal | string, decimals: number): string {
  const amount = new Decimal(value);
  return amount.toFixed(Math.max(decimals, amount.decimalPlaces()));
}

export function isDecimal(text: string, places: number): boolean {
  return /^\d{1,40}(\.\d{1,40})?$/.test(text) && new Decimal(text).decimalPlaces() <= places;
}
