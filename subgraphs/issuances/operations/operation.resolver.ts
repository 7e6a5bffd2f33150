import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { countOperations } from './operation-list.store.js';
import { OperationConnection, OperationListArgs } from './operation-list.type.js';
import { findPublicOperation } from './operation.store.js';
import { Operation, toOperation } from './operation.type.js';
import type { OperationQuery } from './operation-list.js';
import { pageOperations } from './page-operations.js';
import { tickerArg } from './ticker-arg.js';

/** A page with its query, which the total is counted from when it is selected. */
type OperationListing = Connection<Shape<Operation>> & { readonly query: OperationQuery };

@Resolver(() => OperationConnection)
export class OperationResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('data')
  @AsOf()
  @Query(() => OperationConnection, {
    description:
      'Public operations, filtered, sorted and in pages. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  async operations(
    @Ctx() context: Context,
    @Args(() => OperationListArgs) args: OperationListArgs,
  ): Promise<OperationListing> {
    const { query, rows, cursors, hasNext } = await pageOperations(context, this.codec, args);
    return { query, ...toConnection(rows.map(toOperation), cursors, hasNext) };
  }

  @Access('data')
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

  @FieldResolver(() => Int, { description: 'Number of operations on all pages' })
  totalCount(@Ctx() context: Context, @Root() { query }: OperationListing): Promise<number> {
    return countOperations(context, query);
  }
}
