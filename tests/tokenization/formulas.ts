import { Decimal, truncate } from '../../shared/kernel/decimal.js';
import { paidWhole } from '../../subgraphs/tokenization/assets/assets.acts.js';
import type { InstallmentRow } from '../../subgraphs/tokenization/assets/asset.store.js';
import { isMissing, type Missing } from '../../subgraphs/tokenization/unit-price/missing.js';
import type { PriceIndexer, UnitPricePolicy } from '../../subgraphs/tokenization/unit-price/policy.js';
import { power } from '../../subgraphs/tokenization/unit-price/power.js';
import { monthFactor } from '../../subgraphs/tokenization/unit-price/price-index-factor.js';
import type { UnitPriceRow } from '../../subgraphs/tokenization/unit-price/unit-price.js';

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

/** Follows IPCA of the month before, from the last event on, by business days. */
export const followsIpca: PriceIndexer = {
  kind: 'PRICE_INDEX',
  index: 'IPCA',
  lagMonths: 1,
  anniversaryDay: 15,
  proRata: 'BUSINESS_DAYS',
  base: 'LAST_EVENT',
  projection: 'PROVISIONAL',
};

/** Follows all of DI, without a lag. */
export const followsDi = { kind: 'DI', percentage: new Decimal(100), lagBusinessDays: 0 } as const;

/** A series of R$ 1,000.00 at 6 % a year since 10 January 2024 that pays nothing. */
export const plainPolicy: UnitPricePolicy = {
  startDate: '2024-01-10',
  issueValue: new Decimal(1000),
  dayCount: 'BUS252',
  rate: new Decimal(6),
  indexer: { kind: 'NONE' },
  amortizationOf: 'BALANCE',
  events: [],
};

/** The price that there has to be. */
export function pricedRow(outcome: UnitPriceRow | Missing): UnitPriceRow {
  if (isMissing(outcome)) throw new Error(`There is no price: ${JSON.stringify(outcome)}`);
  return outcome;
}
