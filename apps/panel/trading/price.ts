import { decimal } from '../frame/language.js';

/** Writes a price or an amount with the decimals of its market, so that those below each other align; with more where it has more: nothing is rounded. */
export function priceText(value: string | null | undefined, decimals: number): string {
  if (value == null) return '—';
  return decimal(value, Math.max(decimals, value.split('.')[1]?.replace(/0+$/, '').length ?? 0));
}

const decimalsOf = (value: string) => value.split('.')[1]?.length ?? 0;

/** Writes a whole number of the given decimals with its point. */
function withPoint(scaled: bigint, decimals: number): string {
  const digits = String(scaled).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Returns the exact product of two numbers of the graph, none of them negative. */
export function product(one: string, other: string): string {
  return withPoint(BigInt(one.replace('.', '')) * BigInt(other.replace('.', '')), decimalsOf(one) + decimalsOf(other));
}

/** Returns the exact sum of numbers of the graph, none of them negative. */
export function sumOf(values: readonly string[]): string {
  const decimals = Math.max(0, ...values.map(decimalsOf));
  const scaled = values.map((value) => BigInt(value.replace('.', '') + '0'.repeat(decimals - decimalsOf(value))));
  return withPoint(
    scaled.reduce((sum, one) => sum + one, 0n),
    decimals,
  );
}
