import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { formatRemuneration } from '../../../shared/format/format.js';
import { today } from '../../../shared/today.js';
import { ScheduleEntry, toScheduleEntry, type ScheduleEntryShape } from '../schedule/schedule-entry.type.js';
import { schedulesOf } from '../schedule/schedule.store.js';
import { Tranche, type TrancheShape } from './tranche.type.js';

/** Resolves what a reader asks first about a series: its remuneration in words, and its next payment. */
@Resolver(() => Tranche)
export class TrancheTermsResolver {
  @FieldResolver(() => String, { description: 'Remuneration in Brazilian display text: `CDI + 3,50% a.a.`' })
  remuneration(@Root() { indexer, diPercentage, remunerationPercentagePerYear: rate }: TrancheShape): string {
    return formatRemuneration({ indexer, indexerPercent: diPercentage ?? '100', rate });
  }

  @AsOf()
  @FieldResolver(() => ScheduleEntry, {
    nullable: true,
    description: 'Its first instalment that is due today or later and is not paid; null when there is none',
  })
  async nextPayment(@Ctx() context: Context, @Root() { id }: TrancheShape): Promise<ScheduleEntryShape | null> {
    const day = today(context);
    const rows = await loaderOf(context, schedulesOf).load(id);
    const next = rows.find(({ dueDate, status }) => dueDate >= day && status !== 'PAID');
    return next === undefined ? null : toScheduleEntry(next);
  }
}
