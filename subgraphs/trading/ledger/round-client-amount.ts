import { Decimal, round } from '../../../shared/decimal.js';
import type { Posting } from './post-journals.js';

/** An exact amount as the client gets it, and what the house's account ROUNDING gets, so that both together are exact. */
export interface RoundedAmount {
  readonly amount: Decimal;
  /** What the client's side is short of (above zero), or was given (below zero). */
  readonly rounding: Decimal;
}

/**
 * Rounds a client's amount, a credit or a debit, to the decimals of its currency: half up, that is half away from zero.
 * @param decimals of the currency (`trading.currencies`)
 */
export function roundClientAmount(exact: Decimal, decimals: number): RoundedAmount {
  const amount = round(exact, decimals);
  return { amount, rounding: exact.minus(amount) };
}

/** The posting of what was rounded; none when nothing was. */
export function roundingPostings(currency: string, { rounding }: RoundedAmount): Posting[] {
  return rounding.isZero() ? [] : [{ account: { kind: 'ROUNDING', currency }, amount: rounding }];
}
