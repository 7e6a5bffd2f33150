import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { formatRemuneration } from '../../../shared/kernel/format/format.js';
import { ScheduleEntry, toScheduleEntry, type ScheduleEntryShape } from '../schedule/schedule-entry.type.js';
import { nextPaymentsOf } from '../schedule/upcoming-payments.store.js';
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
    description:
      'The first of its `upcomingPayments` from today on: it is not paid, and pays interest, amortization or both; null when there is none, and for a series that is neither FUNDRAISING nor ACTIVE',
  })
  async nextPayment(@Ctx() context: Context, @Root() { id }: TrancheShape): Promise<ScheduleEntryShape | null> {
    const next = await loaderOf(context, nextPaymentsOf).load(id);
    return next === undefined ? null : toScheduleEntry(next);
  }
}
