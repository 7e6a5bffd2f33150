import { Decimal } from '../../../shared/decimal.js';
import type { ErrorDetail } from '../../../shared/errors.js';

/** A market order trades at most so far from the mid, in percent, until an operator says otherwise. */
export const usualCollarPercent = '5';

/** What is wrong with the least amount of an order. @param decimals of an amount in the market */
export function minimumIssues(text: string, decimals: number): ErrorDetail[] {
  const value = new Decimal(text);
  if (value.greaterThan(0) && value.decimalPlaces() <= decimals) return [];
  return [{ path: 'minOrderSize', message: `must be above 0, with at most ${decimals} decimals` }];
}

/** What is wrong with a collar, in percent. */
export function collarIssues(text: string): ErrorDetail[] {
  const value = new Decimal(text);
  if (value.greaterThan(0) && value.lessThanOrEqualTo(50)) return [];
  return [{ path: 'collarPercent', message: 'must be above 0 and at most 50' }];
}
