import { Arg, Args, ArgsType, Ctx, Field, Int, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import type { Calendar } from '../../../shared/calendar/calendar.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { ApiError } from '../../../shared/errors.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { documentedNames } from '../../../shared/list-page.js';
import { today } from '../../../shared/today.js';
import type { PatrimonyRow } from '../patrimonies/patrimony.store.js';
import { patrimoniesById } from '../patrimonies/patrimony.store.js';
import { schedulesOf } from '../schedule/schedule.store.js';
import { TrancheDetails, TrancheList } from './documented-tranche.type.js';
import { pageTranches } from './page-tranches.js';
import { isPriceStale } from './price-due.js';
import { TrancheStatusEnum } from './tranche.enum.js';
import type { TrancheStatus } from './tranche.js';
import { countTranches, findTranche } from './tranche.store.js';
import { toTranche } from './tranche.type.js';

@ArgsType()
class DocumentedTrancheListArgs {
  @Field(() => TrancheStatusEnum, { nullable: true, description: 'Only items with this status' })
  status?: TrancheStatus | null;

  @Field(() => String, { nullable: true, description: 'Only series of the estate with this ticker, in any case' })
  patrimonyTicker?: string | null;

  @Field(() => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
  limit?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`nextToken` of the previous page, which must have been requested with the same filter',
  })
  nextToken?: string | null;
}

@Resolver()
export class DocumentedTrancheResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly calendar: () => Promise<Calendar>,
  ) {}

  @Access('anyone')
  @AsOf()
  @Query(() => TrancheList, {
    description:
      'Series of all estates, sorted by ticker. REST: GET /public/tranches. BAD_REQUEST for arguments that are out of bounds and for an invalid page token.',
  })
  async trancheList(
    @Ctx() context: Context,
    @Args(() => DocumentedTrancheListArgs)
    { status, patrimonyTicker, limit, nextToken }: DocumentedTrancheListArgs,
  ): Promise<Shape<TrancheList>> {
    const request = { names: documentedNames, limit, cursor: nextToken, status, patrimonyTicker };
    const { query, rows, cursors, hasNext } = await pageTranches(context, this.codec, request);
    const items = rows.map(async (row) => {
      const { ticker } = await patrimonyOf(context, row.patrimonyId);
      return { ...toTranche(row, today(context)), patrimonyTicker: ticker };
    });
    return {
      items: await Promise.all(items),
      count: await countTranches(context, query),
      nextToken: hasNext ? (cursors.at(-1) ?? null) : null,
    };
  }

  @Access('anyone')
  @AsOf()
  @Query(() => TrancheDetails, {
    description:
      'A series with its prices and totals. REST: GET /public/tranches/{ticker}/details. NOT_FOUND when it does not exist.',
  })
  async trancheDetails(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: 'Ticker of the series, in any case' }) ticker: string,
  ): Promise<Shape<TrancheDetails>> {
    const row = await findTranche(context, ticker);
    if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such series' });
    const instalments = await loaderOf(context, schedulesOf).load(row.id);
    return {
      ...toTranche(row, today(context)),
      unitPriceDate: row.pricedOn,
      stale: isPriceStale(row, instalments, today(context), await this.calendar()),
      patrimony: await patrimonyOf(context, row.patrimonyId),
    };
  }
}

async function patrimonyOf(context: Context, id: string): Promise<PatrimonyRow> {
  const row = await loaderOf(context, patrimoniesById).load(id);
  if (row === undefined) throw new Error(`The estate ${id}, which a series refers to, does not exist`);
  return row;
}
