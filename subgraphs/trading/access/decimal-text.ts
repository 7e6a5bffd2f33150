import { Decimal } from '../../../shared/kernel/decimal.js';

/** Whether a text is a non-negative decimal with at most the given decimals. */
export function isDecimal(text: string, places: number): boolean {
  return /^\d{1,40}(\.\d{1,40})?$/.test(text) && new Decimal(text).decimalPlaces() <= places;
}
