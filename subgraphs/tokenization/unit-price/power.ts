import { LRUCache } from 'lru-cache';
import type { Decimal } from '../../../shared/kernel/decimal.js';

/** Cache of powers: many series share rates and periods, and a power takes longer than any other step. */
const known = new LRUCache<string, Decimal>({ max: 10_000 });

/** Returns a power with a fractional exponent, with the 50 digits of our `Decimal`. */
export function power(base: Decimal, exponent: Decimal): Decimal {
  const key = `${base.toString()}^${exponent.toString()}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const result = base.pow(exponent);
  known.set(key, result);
  return result;
}
