import { LRUCache } from 'lru-cache';
import type { Decimal } from '../../../shared/decimal.js';

/** Powers that were computed already: the series of a house share rates and periods, and a power takes the longest of all. */
const known = new LRUCache<string, Decimal>({ max: 10_000 });

/** A power with a fractional exponent, to the 50 digits of the house's decimal. */
export function power(base: Decimal, exponent: Decimal): Decimal {
  const key = `${base.toString()}^${exponent.toString()}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const result = base.pow(exponent);
  known.set(key, result);
  return result;
}
