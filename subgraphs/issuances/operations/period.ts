import { ArgsType, Field, Int } from 'type-graphql';
import { DateScalar } from '../../../shared/subgraph/scalars.js';
import { requireBounds, requirePeriod } from '../../../shared/bounds.js';

/** Arguments that select the records of a dated list. */
@ArgsType()
export class PeriodArgs {
  @Field(() => DateScalar, { nullable: true, description: 'First day; no lower bound when omitted' })
  from?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Last day; no upper bound when omitted' })
  to?: string | null;

  @Field(() => Int, {
    defaultValue: 200,
    description: 'Maximum number of items, from 1 to 1000; the first ones of the list are returned',
  })
  first!: number;
}

/**
 * Returns the items of a list within a period.
 * @throws {ApiError} BAD_REQUEST for a reversed period or bad bounds
 */
export function inPeriod<T>(
  items: readonly T[],
  { from, to, first }: PeriodArgs,
  dayOf: (item: T) => string,
): readonly T[] {
  requireBounds({ name: 'first', value: first, min: 1, max: 1000 });
  requirePeriod(from, to);
  return items
    .filter((item) => (from == null || dayOf(item) >= from) && (to == null || dayOf(item) <= to))
    .slice(0, first);
}
