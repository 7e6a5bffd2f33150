import type { Level, Side } from '../venues/venue.js';

/** Returns the best levels of one side of several books; amounts at the same price form one level. */
export function mergeLevels(side: Side, sides: readonly (readonly Level[])[], count: number): Level[] {
  const sign = side === 'BUY' ? -1 : 1;
  const sorted = sides
    // No book contributes more than that to the result.
    .flatMap((levels) => levels.slice(0, count))
    .sort((left, right) => left.price.comparedTo(right.price) * sign);
  const merged: Level[] = [];
  for (const level of sorted) {
    const last = merged.at(-1);
    if (last?.price.equals(level.price) === true) {
      merged[merged.length - 1] = { price: last.price, amount: last.amount.plus(level.amount) };
    } else if (merged.length === count) break;
    else merged.push(level);
  }
  return merged;
}
