import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { isUuid } from '../../../shared/ids.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { readScope } from '../originators/seen-originators.js';
import { readReceivables } from '../receivables/read-receivables.js';
import { ReceivableConnection, toReceivable, type ReceivableShape } from '../receivables/receivable.type.js';
import { countBatches, firstErrorsOf, seenBatchesById, type BatchQuery } from './credit-batch-list.store.js';
import {
  CreditBatch,
  CreditBatchConnection,
  CreditBatchesArgs,
  toCreditBatch,
  type CreditBatchShape,
} from './credit-batch.type.js';
import { CreditBatchError } from './documented-credit-batch.type.js';
import { readBatchesAfter } from './read-credit-batches.js';

type Batches = Connection<CreditBatchShape> & { readonly query: BatchQuery };

@Resolver(() => CreditBatchConnection)
export class CreditBatchListResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('originator', readScope)
  @Query(() => CreditBatchConnection, {
    description:
      "The caller's credit batches in pages, newest first. BAD_REQUEST for arguments that are out of bounds and for an invalid cursor.",
  })
  async creditBatches(
    @Ctx() context: Context,
    @Args(() => CreditBatchesArgs) { filter, first, after }: CreditBatchesArgs,
  ): Promise<Batches> {
    const { status, patrimonyId, from, to } = filter ?? {};
    const wish = { first, after, status, patrimonyId, from, to };
    const { query, rows, hasNext, cursorOf } = await readBatchesAfter(context, this.codec, wish);
    return { query, ...toConnection(rows.map(toCreditBatch), rows.map(cursorOf), hasNext) };
  }

  @FieldResolver(() => Int, { description: 'Number of batches on all pages' })
  totalCount(@Ctx() context: Context, @Root() { query }: Batches): Promise<number> {
    return countBatches(context, query);
  }
}

@Resolver(() => CreditBatch)
export class CreditBatchResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('originator', readScope)
  @Query(() => CreditBatch, {
    nullable: true,
    description: 'A credit batch of the caller; null when it does not exist.',
  })
  async creditBatch(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the batch (UUID)' }) id: string,
  ): Promise<CreditBatchShape | null> {
    const row = isUuid(id) ? await loaderOf(context, seenBatchesById).load(id.toLowerCase()) : undefined;
    return row === undefined ? null : toCreditBatch(row);
  }

  @FieldResolver(() => [CreditBatchError], {
    description: 'Errors of single contracts, when the batch was rejected',
  })
  errors(
    @Ctx() context: Context,
    @Root() { id }: CreditBatchShape,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 100' }) first: number,
  ): Promise<Shape<CreditBatchError[]>> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    return loaderOf(context, firstErrorsOf).load({ batchId: id, first });
  }

  @FieldResolver(() => ReceivableConnection, {
    description: 'Its receivables, in the order in which they were submitted',
  })
  async receivables(
    @Ctx() context: Context,
    @Root() { id, receivableCount }: CreditBatchShape,
    @Arg('first', () => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
    first: number | null | undefined,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the previous page' })
    after: string | null | undefined,
  ): Promise<Connection<ReceivableShape> & { readonly totalCount: number }> {
    const wish = { names: { limit: 'first', cursor: 'after' }, limit: first, cursor: after };
    const { rows, hasNext, cursorOf } = await readReceivables(context, this.codec, id, wish);
    const nodes = rows.map((row) => toReceivable(row, context.principal));
    return { ...toConnection(nodes, rows.map(cursorOf), hasNext), totalCount: receivableCount };
  }
}
