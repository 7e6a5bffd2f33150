import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { overdueUntil } from '../../../shared/securities/payment-window.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import { today } from '../../../shared/kernel/today.js';
import { tranchesById, type TrancheRow } from '../tranches/tranche.store.js';
import { toTranche, Tranche, type TrancheShape } from '../tranches/tranche.type.js';
import type { Projections } from './projections.js';
import {
  projectedInWords,
  ScheduleEntry,
  valuesOf,
  type ScheduleEntryShape,
  type ScheduleValues,
} from './schedule-entry.type.js';

/** Resolves the values of an instalment; the schedule is projected only when a selected value is unknown. */
@Resolver(() => ScheduleEntry)
export class ScheduleEntryResolver {
  constructor(
    private readonly projections: Projections,
    private readonly calendar: () => Promise<Calendar>,
  ) {}

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: `Interest for all units; ${projectedInWords}; null when it cannot be projected`,
  })
  interestValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'interestValue');
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: `Principal for all units; ${projectedInWords}; null when it cannot be projected`,
  })
  principalValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'principalValue');
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: 'Interest and principal together; null when they are',
  })
  totalValue(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'totalValue');
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether its values are projected, and not calculated from a price or paid; false when there are none',
  })
  projected(@Ctx() context: Context, @Root() entry: ScheduleEntryShape) {
    return this.amountOf(context, entry, 'projected');
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Days since it fell due; null while its due business day has not passed, and once it is paid',
  })
  async daysLate(@Ctx() context: Context, @Root() { status, dueDate }: ScheduleEntryShape): Promise<number | null> {
    const day = today(context);
    const isLate = status !== 'PAID' && dueDate <= overdueUntil(day, await this.calendar());
    return isLate ? daysBetween(dueDate, day) : null;
  }

  @FieldResolver(() => String, { description: 'Ticker of its series' })
  async trancheTicker(@Ctx() context: Context, @Root() entry: ScheduleEntryShape): Promise<string> {
    return (await seriesOf(context, entry)).ticker;
  }

  @FieldResolver(() => Tranche, { description: 'Its series' })
  async tranche(@Ctx() context: Context, @Root() entry: ScheduleEntryShape): Promise<TrancheShape> {
    return toTranche(await seriesOf(context, entry), today(context));
  }

  private amountOf<Field extends keyof ScheduleValues>(
    context: Context,
    entry: ScheduleEntryShape,
    field: Field,
  ): ScheduleValues[Field] | Promise<ScheduleValues[Field]> {
    if (entry.interestValue !== null) return valuesOf(entry, undefined)[field];
    return loaderOf(context, this.projections)
      .load(entry.trancheId)
      .then((projection) => valuesOf(entry, projection.get(entry.installmentNumber))[field]);
  }
}

async function seriesOf(context: Context, { trancheId }: ScheduleEntryShape): Promise<TrancheRow> {
  return requireFound(await loaderOf(context, tranchesById).load(trancheId), 'There is no such series');
}
