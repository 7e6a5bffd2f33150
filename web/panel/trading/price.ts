import { decimal } from '../frame/language.js';

/** Writes a price or an amount with the decimals of its market, so that those below each other align; with more where it has more: nothing is rounded. */
export function priceText(value: string | null | undefined, decimals: number): string {
  if (value == null) return '—';
  return decimal(value, Math.max(decimals, value.split('.')[1]?.replace(/0+$/, '').length ?? 0));
}
