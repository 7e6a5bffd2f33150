import { Decimal, sum } from '../../../shared/decimal.js';
import { percentOf } from './shares.js';

/** The portfolio by debtor, as required for concentration. */
export interface DebtorFacts {
  readonly debtors: number;
  /** Balances of the 20 largest debtors (or all, if fewer), largest first. */
  readonly largest: readonly Decimal[];
  /** Sum of the squares of all debtors' balances. */
  readonly squares: Decimal;
}

export const topSizes = [1, 5, 10, 20] as const;

export interface Concentration {
  readonly largest: readonly { readonly debtors: number; readonly balance: Decimal; readonly share: Decimal }[];
  /**
   * Herfindahl-Hirschman index: the sum of the squares of the debtors' shares in percent. From 10000 ÷ debtors (all
   * equal) to 10000 (one debtor); 0 for an empty portfolio.
   */
  readonly hhi: Decimal;
}

export function concentrate({ largest, squares }: DebtorFacts, whole: Decimal): Concentration {
  return {
    largest: topSizes.map((size) => {
      const balance = sum(largest.slice(0, size));
      return { debtors: size, balance, share: percentOf(balance, whole) ?? new Decimal(0) };
    }),
    hhi: whole.isZero() ? new Decimal(0) : squares.times(10_000).div(whole.times(whole)),
  };
}
