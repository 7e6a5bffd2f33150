import { Decimal } from '../../../../shared/decimal.js';
import type { VenueBalance } from '../venue.js';
import type { VenueAccounts } from './venue-account.store.js';

/** What a venue holds of a currency otherwise than the ledger says. */
export interface Difference {
  readonly currency: string;
  /** What the ledger says that the house holds there, and what the venue says. */
  readonly expected: Decimal;
  readonly actual: Decimal;
}

const none = new Decimal(0);
/** As fine as anything in the books is. */
const mostDecimals = 18;

/**
 * The currencies of which a venue holds something else than the ledger says: by a unit of the last decimal in which the venue keeps it, or more.
 * One that the house does not know is none of its books.
 * @param decimals in which the venue keeps currencies; to the last digit where that is not known
 */
export function differencesOf(
  { held }: VenueAccounts,
  balances: readonly VenueBalance[],
  decimals: ReadonlyMap<string, number>,
): Difference[] {
  const said = new Map(balances.map(({ currency, available, locked }) => [currency, available.plus(locked)]));
  return [...held].flatMap(([currency, amount]) => {
    const expected = new Decimal(amount);
    const actual = said.get(currency) ?? none;
    // An exchange that keeps fewer decimals than the books rounds what it holds.
    const step = new Decimal(10).pow(-(decimals.get(currency) ?? mostDecimals));
    const isSame = actual.equals(expected) || actual.minus(expected).abs().lessThan(step);
    return isSame ? [] : [{ currency, expected, actual }];
  });
}

/** Tells what lasts from what passes. */
export interface LookCount {
  /** Takes what a look found. @returns the differences that were the same in the last looks, this one included */
  add(differences: readonly Difference[]): Difference[];
  /** What was seen so far counts no more. */
  forget(): void;
}

/** @param needed looks in a row in which a difference is the same before it counts */
export function createLookCount(needed: number): LookCount {
  let seen = new Map<string, { readonly by: Decimal; readonly times: number }>();
  return {
    add: (differences) => {
      const before = seen;
      seen = new Map(
        differences.map(({ currency, expected, actual }) => {
          const by = actual.minus(expected);
          const last = before.get(currency);
          return [currency, { by, times: last?.by.equals(by) === true ? last.times + 1 : 1 }];
        }),
      );
      return differences.filter(({ currency }) => (seen.get(currency)?.times ?? 0) >= needed);
    },
    forget: () => {
      seen = new Map();
    },
  };
}
