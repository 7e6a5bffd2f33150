import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { isUuid } from '../../../shared/ids.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { readScope } from '../originators/seen-originators.js';
import { SettlementBatchError } from './documented-settlement-batch.type.js';
import { paymentsAt, type PaymentRow } from './payment.store.js';
import { readSettlementBatchesAfter } from './read-settlement-batches.js';
import {
  countSettlementBatches,
  seenSettlementBatchesById,
  settlementErrorsOf,
  type SettlementBatchQuery,
} from './settlement-batch-list.store.js';
import {
  SettlementBatch,
  SettlementBatchConnection,
  SettlementBatchesArgs,
  SettlementConnection,
  toSettlement,
  toSettlementBatch,
  type SettlementBatchShape,
  type SettlementShape,
} from './settlement-batch.type.js';

type Batches = Connection<SettlementBatchShape> & { readonly query: SettlementBatchQuery };

@Resolver(() => SettlementBatchConnection)
export class SettlementBatchListResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('originator', readScope)
  @Query(() => SettlementBatchConnection, {
    description:
      "The caller's settlement batches in pages, newest first. BAD_REQUEST for arguments that are out of bounds and for an invalid cursor.",
  })
  async settlementBatches(
    @Ctx() context: Context,
    @Args(() => SettlementBatchesArgs) { filter, first, after }: SettlementBatchesArgs,
  ): Promise<Batches> {
    const { status, creditBatchId, patrimonyId, from, to } = filter ?? {};
    const wish = { first, after, status, creditBatchId, patrimonyId, from, to };
    const { query, rows, hasNext, cursorOf } = await readSettlementBatchesAfter(context, this.codec, wish);
    return { query, ...toConnection(rows.map(toSettlementBatch), rows.map(cursorOf), hasNext) };
  }

  @FieldResolver(() => Int, { description: 'Number of batches on all pages' })
  totalCount(@Ctx() context: Context, @Root() { query }: Batches): Promise<number> {
    return countSettlementBatches(context, query);
  }
}

@Resolver(() => SettlementBatch)
export class SettlementBatchResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('originator', readScope)
  @Query(() => SettlementBatch, {
    nullable: true,
    description: 'A settlement batch of the caller; null when it does not exist.',
  })
  async settlementBatch(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the batch (UUID)' }) id: string,
  ): Promise<SettlementBatchShape | null> {
    const row = isUuid(id) ? await loaderOf(context, seenSettlementBatchesById).load(id.toLowerCase()) : undefined;
    return row === undefined ? null : toSettlementBatch(row);
  }

  @FieldResolver(() => [SettlementBatchError], {
    description: 'Errors of its payments, when the batch was rejected',
  })
  errors(
    @Ctx() context: Context,
    @Root() { id }: SettlementBatchShape,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 100' }) first: number,
  ): Promise<Shape<SettlementBatchError[]>> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    return loaderOf(context, settlementErrorsOf).load({ batchId: id, first });
  }

  @FieldResolver(() => SettlementConnection, { description: 'Its payments, in the order in which they were submitted' })
  async settlements(
    @Ctx() context: Context,
    @Root() { id, settlementCount }: SettlementBatchShape,
    @Arg('first', () => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
    first: number | null | undefined,
    @Arg('after', () => String, { nullable: true, description: '`endCursor` of the previous page' })
    after: string | null | undefined,
  ): Promise<Connection<SettlementShape> & { readonly totalCount: number }> {
    const limit = first ?? 20;
    requireBounds({ name: 'first', value: limit, min: 1, max: 100 });
    const [place = '-1'] = after == null ? [] : this.codec.open(id, after);
    const places = { batchId: id, after: Number(place), limit: limit + 1 };
    const found = await loaderOf(context, paymentsAt).load(places);
    const cursorOf = ({ position }: PaymentRow) => this.codec.seal(id, [String(position)]);
    const shown = found.slice(0, limit);
    const connection = toConnection(shown.map(toSettlement), shown.map(cursorOf), found.length > limit);
    return { ...connection, totalCount: settlementCount };
  }
}
