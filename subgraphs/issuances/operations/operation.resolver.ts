import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { readOperations, type OperationListing } from './list-operations.js';
import { countOperations } from './operation-list.store.js';
import { OperationConnection, OperationListArgs } from './operation-list.type.js';
import { findPublicOperation } from './operation.store.js';
import { Operation, toOperation } from './operation.type.js';
import { tickerArg } from './ticker-arg.js';

@Resolver(() => OperationConnection)
export class OperationResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('data')
  @AsOf()
  @Query(() => OperationConnection, {
    description:
      'Public operations, filtered, sorted and in pages. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  operations(
    @Ctx() context: Context,
    @Args(() => OperationListArgs) args: OperationListArgs,
  ): Promise<OperationListing> {
    return readOperations(context, this.codec, args);
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
