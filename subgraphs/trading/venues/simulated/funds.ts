import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { VenueBalance } from '../venue.js';

export interface Funds {
  available(currency: string): Decimal;
  add(currency: string, amount: Decimal): void;
  /** Spends available funds; more than that is an error of the caller. */
  spend(currency: string, amount: Decimal): void;
  lock(currency: string, amount: Decimal): void;
  unlock(currency: string, amount: Decimal): void;
  list(): VenueBalance[];
}

interface Holding {
  available: Decimal;
  locked: Decimal;
}

const zero = new Decimal(0);

export function createFunds(initial: Readonly<Record<string, string>>): Funds {
  const holdings = new Map<string, Holding>();
  const of = (currency: string): Holding => {
    const known = holdings.get(currency);
    if (known !== undefined) return known;
    const made = { available: zero, locked: zero };
    holdings.set(currency, made);
    return made;
  };
  const move = (currency: string, available: Decimal, locked: Decimal) => {
    const holding = of(currency);
    const [nowAvailable, nowLocked] = [holding.available.plus(available), holding.locked.plus(locked)];
    if (nowAvailable.isNegative() && !nowAvailable.isZero()) throw new RangeError(`There is not so much ${currency}`);
    if (nowLocked.isNegative() && !nowLocked.isZero()) throw new RangeError(`Not so much ${currency} is locked`);
    holding.available = nowAvailable;
    holding.locked = nowLocked;
  };
  for (const [currency, amount] of Object.entries(initial)) move(currency, new Decimal(amount), zero);
  return {
    available: (currency) => of(currency).available,
    add: (currency, amount) => move(currency, amount, zero),
    spend: (currency, amount) => move(currency, amount.negated(), zero),
    lock: (currency, amount) => move(currency, amount.negated(), amount),
    unlock: (currency, amount) => move(currency, amount, amount.negated()),
    list: () => [...holdings].map(([currency, holding]) => ({ currency, ...holding })),
  };
}
