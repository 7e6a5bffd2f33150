import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { pageSeries } from './page-series.js';
import { countSeries } from './series-list.store.js';
import { SeriesConnection, SeriesListArgs, toSeries, type SeriesShape } from './series-list.type.js';
import { readStamp } from '../revision/revision.js';

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
