import { decimal } from '../frame/language.js';

/** Writes a price or an amount with the decimals of its market, so that those below each other align; with more where it has more: nothing is rounded. */
export function priceText(value: string | null | undefined, decimals: number): string {
  if (value == null) return '—';
  return decimal(value, Math.max(decimals, value.split('.')[1]?.replace(/0+$/, '').length ?? 0));
}

/** Returns the exact product of two numbers of the graph. */
export function product(one: string, other: string): string {
  const decimals = [one, other].reduce((sum, value) => sum + (value.split('.')[1]?.length ?? 0), 0);
  const digits = String(BigInt(one.replace('.', '')) * BigInt(other.replace('.', ''))).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
