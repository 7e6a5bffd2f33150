import { Arg, Args, Ctx, Directive, FieldResolver, Query, Resolver, Root, Mutation } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { loaderOf, type Context, today } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { cut } from '../../../shared/kernel/echo.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { connectionPage } from '../../../shared/graphql/list-page.js';
import { estateOf, patrimoniesByTicker, type PatrimonyRow } from '../patrimonies/patrimony.store.js';
import { Patrimony } from '../patrimonies/patrimony.type.js';
import { schedulesOf } from '../schedule/schedule.store.js';
import { pageTranches, isPriceStale, changeTrancheStatus, type TranchePage } from './tranches.acts.js';
import { countTranches, listTrancheAddresses } from './tranche-list.store.js';
import {
  TrancheAddress,
  TrancheConnection,
  TrancheConnectionArgs,
  Tranche,
  toTranche,
  type TrancheShape,
  TrancheStatusEnum,
} from './tranche.type.js';
import { tranchesByTicker, tranchesOfPatrimonies, tranchesById } from './tranche.store.js';
import { readStamp } from '../revision/revision.js';
import { formatRemuneration } from '../../securities/indexer.js';
import { ScheduleEntry, toScheduleEntry, type ScheduleEntryShape } from '../schedule/schedule-entry.type.js';
import { nextPaymentsOf } from '../schedule/schedule-writes.store.js';
import type { TrancheStatus } from './tranche.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';

type Listing = Connection<TrancheShape> & Pick<TranchePage, 'patrimonyTicker'>;

@Resolver(() => TrancheConnection)
export class TrancheListResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('anyone')
  @CacheResponse(readStamp)
  @AsOf()
  @Query(() => TrancheConnection, {
    description:
      'Series of all estates, filtered, sorted and in pages. REST: GET /public/tranches. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  async tranches(
    @Ctx() context: Context,
    @Args(() => TrancheConnectionArgs) { filter, sort, ...wanted }: TrancheConnectionArgs,
  ): Promise<Listing> {
    const page = await pageTranches(context, this.codec, connectionPage(wanted), filter ?? {}, sort);
    const day = today(context);
    const connection = toConnection(
      page,
      (row) => toTranche(row, day),
      () => countTranches(context, page.query),
    );
    return Object.assign(connection, { patrimonyTicker: page.patrimonyTicker });
  }

  @Access('anyone')
  @CacheResponse(readStamp)
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [TrancheAddress], {
    description: 'Ticker of every series and of its estate, by ticker, not in pages: for site maps.',
  })
  trancheAddresses(@Ctx() context: Context): Promise<Shape<TrancheAddress>[]> {
    return listTrancheAddresses(context);
  }

  @FieldResolver(() => Patrimony, {
    nullable: true,
    description:
      'The estate that the list is restricted to; null for a list of all estates. Errors: 404 when it does not exist.',
  })
  async patrimony(@Ctx() context: Context, @Root() { patrimonyTicker }: Listing): Promise<PatrimonyRow | null> {
    if (patrimonyTicker === null) return null;
    const [estate] = await patrimoniesByTicker(context, [patrimonyTicker]);
    return requireFound(estate, `There is no estate ${cut(patrimonyTicker)}`);
  }
}

@Resolver(() => Tranche)
export class TrancheResolver {
  constructor(private readonly calendar: () => Promise<Calendar>) {}

  @Access('anyone')
  @CacheResponse(readStamp)
  @AsOf()
  @Query(() => Tranche, {
    nullable: true,
    description: 'A series; null when it does not exist. REST: GET /public/tranches/{ticker}/details.',
  })
  async tranche(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: 'Ticker of the series, in any case' }) ticker: string,
  ): Promise<TrancheShape | null> {
    const row = await loaderOf(context, tranchesByTicker).load(ticker);
    return row === undefined ? null : toTranche(row, today(context));
  }

  @FieldResolver(() => Patrimony, { description: 'The estate in which it was issued' })
  async patrimony(@Ctx() context: Context, @Root() { patrimonyId }: TrancheShape): Promise<PatrimonyRow> {
    return estateOf(context, patrimonyId);
  }

  @FieldResolver(() => String, { description: 'Ticker of its estate' })
  async patrimonyTicker(@Ctx() context: Context, @Root() { patrimonyId }: TrancheShape): Promise<string> {
    return (await estateOf(context, patrimonyId)).ticker;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a newer price is due than the one that is shown: of the last business day that has begun, or of the last instalment that repays the series. `missingInput` names the missing number, if any',
  })
  async stale(@Ctx() context: Context, @Root() series: TrancheShape): Promise<boolean> {
    const instalments = await loaderOf(context, schedulesOf).load(series.id);
    return isPriceStale(series, instalments, today(context), await this.calendar());
  }
}

@Resolver(() => Patrimony)
export class PatrimonyTranchesResolver {
  @AsOf()
  @Directive('@listSize(assumedSize: 20)')
  @FieldResolver(() => [Tranche], {
    description: 'Its series, sorted by ticker: the first 100; use `tranches` to page through more',
  })
  async tranches(@Ctx() context: Context, @Root() { id }: PatrimonyRow): Promise<TrancheShape[]> {
    const rows = await loaderOf(context, tranchesOfPatrimonies).load(id);
    return rows.map((row) => toTranche(row, today(context)));
  }
}

export const trancheReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, reference) => {
    const row = await find(context, reference['id'], reference['ticker']);
    return row === undefined ? null : toTranche(row, today(context));
  },
};

async function find(context: Context, id: unknown, ticker: unknown) {
  if (typeof id === 'string' && isUuid(id)) return loaderOf(context, tranchesById).load(id);
  if (typeof ticker === 'string') return loaderOf(context, tranchesByTicker).load(ticker);
  return undefined;
}

@Resolver()
export class TrancheMutationsResolver {
  @Access('operator', 'publish')
  @Mutation(() => Tranche, {
    description:
      'Changes the status of a series: DRAFT to FUNDRAISING, FUNDRAISING to ACTIVE, ACTIVE to CLOSED when every instalment is paid; a series without invested money can be CLOSED earlier. Announced as `tranche.status_changed`. A series that already has the status remains unchanged. Errors: 404 for a series that does not exist; 409 for any other change.',
  })
  async changeTrancheStatus(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: 'Ticker of the series, in any case' }) ticker: string,
    @Arg('status', () => TrancheStatusEnum, { description: 'New status' }) status: TrancheStatus,
  ): Promise<TrancheShape> {
    return toTranche(await changeTrancheStatus(context, ticker, status), today(context));
  }
}

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
