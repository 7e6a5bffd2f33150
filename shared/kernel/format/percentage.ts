import { Decimal } from '../decimal.js';

/** Formats a percentage with all its digits and at least 2 decimals: `12.50`, `0.12345678`. */
export function percentageText(stored: string): string {
  const value = new Decimal(stored);
  return value.toFixed(Math.max(2, value.dp()));
}
