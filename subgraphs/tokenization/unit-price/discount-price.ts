import { Decimal, truncate } from '../../../shared/decimal.js';
import { power } from './power.js';

/**
 * Returns the price of a bill (LTN) that pays its face value once: `trunc(face / (1 + rate/100)^(du/252), 6)`, the exponent
 * truncated at 14 decimals, as ANBIMA and the Treasury compute it.
 * @param rate percent a year
 * @param businessDays from the settlement, counted, to the maturity, not counted
 */
export function discountPrice(face: Decimal, rate: Decimal, businessDays: number): Decimal {
  const exponent = truncate(new Decimal(businessDays).div(252), 14);
  return truncate(face.div(power(rate.div(100).plus(1), exponent)), 6);
}
