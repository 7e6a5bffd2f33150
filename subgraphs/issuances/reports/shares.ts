import { Decimal, sum } from '../../../shared/kernel/decimal.js';

/** Returns `part` as a percentage of `whole`, exact; undefined if `whole` is zero. */
export function percentOf(part: Decimal, whole: Decimal): Decimal | undefined {
  return whole.isZero() ? undefined : part.times(100).div(whole);
}

/** Returns shares in percent with 2 decimals that sum to exactly 100.00 (largest remainder method, the first of equals first). All are 0 if the parts are. */
export function shares(parts: readonly Decimal[]): Decimal[] {
  const whole = sum(parts);
  if (whole.isZero()) return parts.map(() => new Decimal(0));
  const exact = parts.map((part) => part.times(10_000).div(whole));
  const floors = exact.map((share) => share.floor());
  const missing = new Decimal(10_000).minus(sum(floors)).toNumber();
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share.minus(share.floor()) }))
    .sort((left, right) => right.remainder.cmp(left.remainder) || left.index - right.index);
  const raised = new Set(byRemainder.slice(0, missing).map(({ index }) => index));
  return floors.map((share, index) => share.plus(raised.has(index) ? 1 : 0).div(100));
}
