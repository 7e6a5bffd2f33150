import { Decimal } from '../../../shared/kernel/decimal.js';
import { type ErrorDetail, unless } from '../../../shared/kernel/errors.js';
import { errorAt } from '../../../shared/kernel/rule-error.js';

/** The default for how far from the mid price a market order may trade, in percent. */
export const usualCollarPercent = '5';

/** Returns the errors of a minimum order size. @param decimals of an amount in the market */
export function minimumIssues(text: string, decimals: number): ErrorDetail[] {
  const value = new Decimal(text);
  const isRight = value.greaterThan(0) && value.decimalPlaces() <= decimals;
  return unless(isRight, errorAt('minOrderSize', 'AMOUNT_DECIMALS', { decimals }));
}

/** Returns the errors of a collar, in percent. */
export function collarIssues(text: string): ErrorDetail[] {
  const value = new Decimal(text);
  const isRight = value.greaterThan(0) && value.lessThanOrEqualTo(50);
  return unless(isRight, errorAt('collarPercent', 'AMOUNT_AT_MOST', { max: 50 }));
}
