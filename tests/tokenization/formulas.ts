import { Decimal, truncate } from '../../shared/kernel/decimal.js';
import { paidWhole } from '../../subgraphs/tokenization/assets/assets.acts.js';
import type { InstallmentRow } from '../../subgraphs/tokenization/assets/asset.store.js';
import { power } from '../../subgraphs/tokenization/unit-price/power.js';
import { monthFactor } from '../../subgraphs/tokenization/unit-price/price-index-factor.js';

// Published formulas and rules in their simplest form, with which tests compare what the program computes.

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

/**
 * Returns factor C of whole months: each ratio of neighbours truncated at 8 decimals, multiplied without truncation, the
 * product truncated at 8.
 * @param numbers index numbers, month by month, the base first
 */
export function priceIndexFactor(numbers: readonly Decimal[]): Decimal {
  let product = new Decimal(1);
  let previous: Decimal | undefined;
  for (const number of numbers) {
    if (previous !== undefined) product = product.times(monthFactor(number.div(previous), 1, 1));
    previous = number;
  }
  return truncate(product, 8);
}

/**
 * Applies a payment to instalments in order of due date: the earliest takes what is open of it, then the next. Any excess
 * over all of them is not applied.
 * @param instalments of one credit, the first due first
 * @param amount in BRL
 * @param paidOn civil date in São Paulo
 */
export function payInOrder(
  instalments: readonly InstallmentRow[],
  amount: string,
  paidOn: string,
): readonly InstallmentRow[] {
  let left = new Decimal(amount);
  return instalments.map((instalment) => {
    if (instalment.status === 'PAID' || left.isZero()) return instalment;
    const wanted = Decimal.max(new Decimal(instalment.amount).minus(instalment.paidAmount), 0);
    const taken = Decimal.min(wanted, left);
    left = left.minus(taken);
    if (taken.eq(wanted)) return paidWhole(instalment, paidOn);
    return { ...instalment, paidAmount: taken.plus(instalment.paidAmount).toFixed(2) };
  });
}
