import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/context.js';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Projections } from './projections.js';
import { projectedInWords, ScheduleEntry, valuesOf, type ScheduleEntryShape } from './schedule-entry.type.js';

/** Resolves the values of an instalment; the schedule is projected only when a selected value is unknown. */
@Resolver(() => ScheduleEntry)
export class ScheduleEntryResolver {
  constructor(private readonly projections: Projections) {}

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: `Interest for all units; ${projectedInWords}; null when it cannot be projected`,
  })
  async interestValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape): Promise<string | null> {
    return (await this.values(context, entry)).interestValue;
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: `Principal for all units; ${projectedInWords}; null when it cannot be projected`,
  })
  async principalValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape): Promise<string | null> {
    return (await this.values(context, entry)).principalValue;
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'Interest and principal together; null when they are',
  })
  async totalValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape): Promise<string | null> {
    return (await this.values(context, entry)).totalValue;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether its values are projected, and not calculated from a price or paid; false when there are none',
  })
  async projected(@Ctx() context: Context, @Root() entry: ScheduleEntryShape): Promise<boolean> {
    return (await this.values(context, entry)).projected;
  }

  private async values(context: Context, entry: ScheduleEntryShape) {
    if (entry.interestValue !== null) return valuesOf(entry, undefined);
    const projection = await loaderOf(context, this.projections).load(entry.trancheId);
    return valuesOf(entry, projection.get(entry.installmentNumber));
  }
}
