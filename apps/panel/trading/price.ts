import { decimal } from '../frame/language.js';

export const decimalsOf = (value: string) => value.split('.')[1]?.length ?? 0;

export const isZero = (value: string) => /^0(\.0*)?$/.test(value);

/** Writes an amount with all its decimals: the graph gives each currency's own, a typed amount needs them in `least`. */
export const exact = (value: string, least = 0) => decimal(value, Math.max(least, decimalsOf(value)));

/** Writes a price or an amount with the decimals of its market, so that those below each other align; with more where it has more: nothing is rounded. */
export function priceText(value: string | null | undefined, decimals: number): string {
  if (value == null) return '—';
  return decimal(value, Math.max(decimals, value.split('.')[1]?.replace(/0+$/, '').length ?? 0));
}

/** Returns a number of the graph without its point, as one of more decimals. */
const scaled = (value: string, decimals: number) =>
  BigInt(value.replace('.', '') + '0'.repeat(decimals - decimalsOf(value)));

/** Writes a whole number of the given decimals with its point. */
function withPoint(whole: bigint, decimals: number): string {
  const digits = String(whole < 0n ? -whole : whole).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return whole < 0n ? `-${text}` : text;
}

/** Returns the exact product of two numbers of the graph. */
export function product(one: string, other: string): string {
  const [left, right] = [decimalsOf(one), decimalsOf(other)];
  return withPoint(scaled(one, left) * scaled(other, right), left + right);
}

export function sumOf(values: readonly string[]): string {
  const decimals = Math.max(0, ...values.map(decimalsOf));
  return withPoint(
    values.reduce((sum, one) => sum + scaled(one, decimals), 0n),
    decimals,
  );
}

/** Whether a number of the graph is less than another one, which is not negative. */
export const isLess = (one: string, other: string) => sumOf([one, `-${other}`]).startsWith('-');

/** Returns `value * part / whole` of numbers of the graph, none below zero, cut off after the given decimals. */
export function portionOf(value: string, part: string, whole: string, decimals: number): string {
  const most = Math.max(decimalsOf(value), decimalsOf(part), decimalsOf(whole), decimals);
  const [a, b, c] = [scaled(value, most), scaled(part, most), scaled(whole, most)];
  return withPoint((a * b * 10n ** BigInt(decimals)) / (c * 10n ** BigInt(most)), decimals);
}
