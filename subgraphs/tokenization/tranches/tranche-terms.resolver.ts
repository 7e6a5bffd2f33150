import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { formatRemuneration, type Indexer } from '../../../shared/format/format.js';
import { today } from '../../../shared/today.js';
import { ScheduleEntry, toScheduleEntry, type ScheduleEntryShape } from '../schedule/schedule-entry.type.js';
import { schedulesOf } from '../schedule/schedule.store.js';
import type { IndexerName } from './tranche.js';
import { Tranche, type TrancheShape } from './tranche.type.js';

/** The names of indexes in remunerations. */
const indexers: Readonly<Record<IndexerName, Indexer>> = { NONE: 'PREFIXED', DI: 'CDI', IPCA: 'IPCA', IGPM: 'IGPM' };

/** Resolves what a reader asks first about a series: its remuneration in words, and its next payment. */
@Resolver(() => Tranche)
export class TrancheTermsResolver {
  @FieldResolver(() => String, { description: 'Remuneration in Brazilian display text: `CDI + 3,50% a.a.`' })
  remuneration(@Root() { indexer, diPercentage, remunerationPercentagePerYear: rate }: TrancheShape): string {
    return formatRemuneration({ indexer: indexers[indexer], indexerPercent: diPercentage ?? '100', rate });
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
