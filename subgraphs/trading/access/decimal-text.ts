import { Decimal } from '../../../shared/kernel/decimal.js';

export function isDecimal(text: string, places: number): boolean {
  return /^\d{1,40}(\.\d{1,40})?$/.test(text) && new Decimal(text).decimalPlaces() <= places;
}
