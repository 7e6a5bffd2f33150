import { Args, Ctx, Directive, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { requirePeriod } from '../../../shared/bounds.js';
import { addDays } from '../../../shared/calendar/days.js';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { filterTickers } from '../../../shared/filter-values.js';
import { connectionPage, numberKey, openPage } from '../../../shared/list-page.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { today } from '../../../shared/today.js';
import { addUpUpcomingPayments } from './add-up-upcoming-payments.js';
import type { Projections } from './projections.js';
import { toScheduleEntry, type ScheduleEntryShape } from './schedule-entry.type.js';
import {
  UpcomingPaymentArgs,
  UpcomingPaymentConnection,
  UpcomingPaymentTotals,
  usualWindowDays,
} from './upcoming-payment.type.js';
import type { UpcomingQuery } from './upcoming-payments.js';
import { countUpcomingPayments, listUpcomingPayments } from './upcoming-payments.store.js';

const lastDay = '9999-12-31';

/** Returns the last day of the window that begins on a day. */
function windowEnd(first: string): string {
  return first > addDays(lastDay, -usualWindowDays) ? lastDay : addDays(first, usualWindowDays);
}

/** A page with its query, whose payments are added up when the totals are selected. */
type Listing = Connection<ScheduleEntryShape> & { readonly query: UpcomingQuery };

@Resolver(() => UpcomingPaymentConnection)
export class UpcomingPaymentResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly projections: Projections,
  ) {}

  @Access('anyone')
  @AsOf()
  @Query(() => UpcomingPaymentConnection, {
    description:
      'Unpaid instalments of tokenized series in FUNDRAISING or ACTIVE that are due in a period, by default the next 90 days; those that pay nothing are left out. Errors: 400 for a period that ends before it begins, arguments that are out of bounds and an invalid cursor.',
  })
  async upcomingPayments(
    @Ctx() context: Context,
    @Args(() => UpcomingPaymentArgs) { tickers, from, to, ...wanted }: UpcomingPaymentArgs,
  ): Promise<Listing> {
    const first = from ?? today(context);
    const query = { tickers: filterTickers(tickers), from: first, to: to ?? windowEnd(first) };
    requirePeriod(query.from, query.to);
    // The scope has the days as they were given: a list of the next days can be read across midnight.
    const scope = JSON.stringify(['upcoming', query.tickers, from ?? null, to ?? null]);
    const page = openPage(this.codec, connectionPage(wanted), { scope });
    const found = page.take(await listUpcomingPayments(context, query, page), (row) => [
      row.dueDate,
      row.ticker.toLowerCase(),
      numberKey(row.installmentNumber),
    ]);
    const connection = toConnection(found, toScheduleEntry, () => countUpcomingPayments(context, query));
    return Object.assign(connection, { query });
  }

  @Directive('@cost(weight: 100)')
  @FieldResolver(() => UpcomingPaymentTotals, {
    description:
      'Sums over the payments of all pages. Errors: 400 for more than 500 series or 10,000 payments: send tickers, or a shorter period.',
  })
  totals(@Ctx() context: Context, @Root() { query }: Listing): Promise<Shape<UpcomingPaymentTotals>> {
    return addUpUpcomingPayments(context, this.projections, query);
  }
}
