import { Args, Ctx, Directive, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { requirePeriod } from '../../../shared/kernel/bounds.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { filterTickers } from '../../../shared/graphql/filter-values.js';
import { connectionPage, numberKey, openPage } from '../../../shared/graphql/list-page.js';
import { overdueUntil, paymentWindow } from '../../../shared/securities/payment-window.js';
import { Access } from '../../../shared/graphql/access.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { today } from '../../../shared/kernel/today.js';
import { addUpUpcomingPayments } from './add-up-upcoming-payments.js';
import type { Projections } from './projections.js';
import {
  toScheduleEntry,
  type ScheduleEntryShape,
  UpcomingPaymentArgs,
  UpcomingPaymentConnection,
  UpcomingPaymentTotals,
} from './schedule-entry.type.js';
import { tranchesByTicker } from '../tranches/tranche.store.js';
import type { UpcomingQuery } from './upcoming-payments.js';
import { countUpcomingPayments, listUpcomingPayments } from './upcoming-payments.store.js';

/** A page with its query, whose payments are added up when the totals are selected. */
interface Listing extends Connection<ScheduleEntryShape> {
  readonly query: UpcomingQuery;
  /** As the caller wrote them. */
  readonly requested: readonly string[];
}

@Resolver(() => UpcomingPaymentConnection)
export class UpcomingPaymentResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly projections: Projections,
    private readonly calendar: () => Promise<Calendar>,
  ) {}

  @Access('anyone')
  @AsOf()
  @Query(() => UpcomingPaymentConnection, {
    description:
      'Unpaid instalments of tokenized series in FUNDRAISING or ACTIVE that are due in a period, by default the next 90 days, or those with a status; those that pay nothing are left out. Errors: 400 for a period that ends before it begins, arguments that are out of bounds and an invalid cursor.',
  })
  async upcomingPayments(
    @Ctx() context: Context,
    @Args(() => UpcomingPaymentArgs) { tickers, from, to, status, ...wanted }: UpcomingPaymentArgs,
  ): Promise<Listing> {
    requirePeriod(from, to);
    const day = today(context);
    const query = {
      ...paymentWindow({ from, to, status }, day),
      tickers: filterTickers(tickers),
      overdueUntil: overdueUntil(day, await this.calendar()),
    };
    // The scope has the days as they were given: a list of the next days can be read across midnight.
    const scope = JSON.stringify(['upcoming', query.tickers, from ?? null, to ?? null, query.status]);
    const page = openPage(this.codec, connectionPage(wanted), { scope });
    const found = page.take(await listUpcomingPayments(context, query, page), (row) => [
      row.dueDate,
      row.ticker.toLowerCase(),
      numberKey(row.installmentNumber),
    ]);
    const connection = toConnection(found, toScheduleEntry, () => countUpcomingPayments(context, query));
    return Object.assign(connection, { query, requested: tickers ?? [] });
  }

  @Directive('@cost(weight: 100)')
  @FieldResolver(() => UpcomingPaymentTotals, {
    description:
      'Sums over the payments of all pages. Errors: 400 for more than 500 series or 10,000 payments: send tickers, or a shorter period.',
  })
  totals(@Ctx() context: Context, @Root() { query }: Listing): Promise<Shape<UpcomingPaymentTotals>> {
    return addUpUpcomingPayments(context, this.projections, query);
  }

  @FieldResolver(() => [String], { description: 'Those of the requested tickers that no tokenized series has' })
  async unknownTickers(@Ctx() context: Context, @Root() { requested }: Listing): Promise<string[]> {
    const found = requested.length === 0 ? [] : await tranchesByTicker(context, requested);
    return requested.filter((_ticker, index) => found[index] === undefined);
  }
}
