import type { Level, Side } from '../venues/venue.js';

/** The best levels of one side of several books; what is offered at one price is one level. */
export function mergeLevels(side: Side, sides: readonly (readonly Level[])[], count: number): Level[] {
  const sign = side === 'BUY' ? -1 : 1;
  const sorted = sides
    // No more than that of one book can be among the best.
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
