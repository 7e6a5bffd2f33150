import { Ctx, Directive, FieldResolver, Resolver, Root, Args, Query } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import { volumeOf } from '../cards/card.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { publicOperationById } from '../operations/operation.store.js';
import { Operation, toOperation, type OperationShape } from '../operations/operation.type.js';
import { remunerationOfAll } from './series.js';
import { seriesOf, publicSeriesByTicker, countSeries } from './series.store.js';
import { Series, toSeries, type SeriesShape, SeriesConnection, SeriesListArgs } from './series-list.type.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { pageSeries } from './page-series.js';
import { readStamp } from '../revision/revision.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';

@Resolver(() => Operation)
export class OperationSeriesResolver {
  @AsOf()
  @Directive('@listSize(assumedSize: 4)')
  @FieldResolver(() => [Series], { description: 'Its series, by number' })
  async series(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<SeriesShape[]> {
    return (await loaderOf(context, seriesOf).load(id)).map(toSeries);
  }

  @FieldResolver(() => DecimalScalar, { description: 'Issued volume in BRL, 2 decimals: the sum of its series' })
  async volume(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<string> {
    return volumeOf(await loaderOf(context, seriesOf).load(id)).toFixed(2);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Remuneration as displayed, once for all series with the same one: `CDI + 3,50% a.a. / IPCA + 9,00% a.a.`',
  })
  async remuneration(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<string | null> {
    return remunerationOfAll(await loaderOf(context, seriesOf).load(id)) ?? null;
  }
}

@Resolver(() => Series)
export class SeriesResolver {
  @AsOf()
  @FieldResolver(() => Operation, { description: 'The operation that it belongs to' })
  async operation(@Ctx() context: Context, @Root() { operationId }: SeriesShape): Promise<OperationShape> {
    const row = await publicOperationById(context, operationId);
    return toOperation(requireFound(row, 'There is no such operation'));
  }
}

export const seriesReference: ReferenceRule = {
  access: 'data',
  resolve: async (context, { ticker }) => {
    const row = typeof ticker === 'string' ? await loaderOf(context, publicSeriesByTicker).load(ticker) : undefined;
    return row === undefined ? null : toSeries(row);
  },
};

@Resolver()
export class SeriesListResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @AsOf()
  @Query(() => SeriesConnection, {
    description:
      'Series of all public operations, filtered, sorted and in pages. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  async series(
    @Ctx() context: Context,
    @Args(() => SeriesListArgs) args: SeriesListArgs,
  ): Promise<Connection<SeriesShape>> {
    const page = await pageSeries(context, this.codec, args);
    return toConnection(page, toSeries, () => countSeries(context, page.query));
  }
}
