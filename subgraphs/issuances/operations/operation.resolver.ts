import { Arg, Args, Ctx, Directive, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { countOperations, filterKey, listAddresses } from './operation-list.store.js';
import { OperationAddress, OperationConnection, OperationListArgs } from './operation-list.type.js';
import { findPublicOperation } from './operation.store.js';
import { Operation, toOperation } from './operation.type.js';
import { pageOperations } from './page-operations.js';
import { tickerArg } from './ticker-arg.js';
import { createRevisionCache, readStamp } from '../revision/revision.js';

@Resolver()
export class OperationResolver {
  private readonly counts = createRevisionCache<number>('operation-counts', 100);

  constructor(private readonly codec: CursorCodec) {}

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @AsOf()
  @Query(() => OperationConnection, {
    description:
      'Public operations, filtered, sorted and in pages. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  async operations(
    @Ctx() context: Context,
    @Args(() => OperationListArgs) args: OperationListArgs,
  ): Promise<Connection<Shape<Operation>>> {
    const page = await pageOperations(context, this.codec, args);
    const count = (fresh: Context) => countOperations(fresh, page.query);
    return toConnection(page, toOperation, () => this.counts.one(context, filterKey(page.query), count));
  }

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [OperationAddress], {
    description: 'Slug of every public operation and tickers of its series, by ticker, not in pages: for site maps.',
  })
  operationAddresses(@Ctx() context: Context): Promise<Shape<OperationAddress>[]> {
    return listAddresses(context);
  }

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @AsOf()
  @Query(() => Operation, {
    nullable: true,
    description: 'A public operation; null when it does not exist or is not public.',
  })
  async operation(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerArg) ticker: string,
  ): Promise<Shape<Operation> | null> {
    try {
      return toOperation(await findPublicOperation(context, ticker));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }
}
