import { Decimal } from '../../../../shared/decimal.js';
import type { VenueBalance } from '../venue.js';
import type { VenueAccounts } from './venue-account.store.js';

/** A currency of which a venue's balance differs from the ledger. */
export interface Difference {
  readonly currency: string;
  /** The house's balance there by the ledger, and by the venue. */
  readonly expected: Decimal;
  readonly actual: Decimal;
}

const none = new Decimal(0);
/** The precision of the books. */
const mostDecimals = 18;

/**
 * Returns the currencies in which a venue's balance differs from the ledger: by a unit of the last decimal in which the venue keeps it, or more.
 * Currencies that the house does not know are not in its books.
 * @param decimals in which the venue keeps currencies; unknown ones are compared exactly
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
    // An exchange that keeps fewer decimals than the books rounds its balances.
    const step = new Decimal(10).pow(-(decimals.get(currency) ?? mostDecimals));
    const isSame = actual.equals(expected) || actual.minus(expected).abs().lessThan(step);
    return isSame ? [] : [{ currency, expected, actual }];
  });
}

/** Distinguishes lasting differences from passing ones. */
export interface LookCount {
  /** Adds the result of a look. @returns the differences that were the same in the last looks, including this one */
  add(differences: readonly Difference[]): Difference[];
  /** Discards the results so far. */
  forget(): void;
}

/** @param needed number of looks in a row with the same difference before it counts */
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
