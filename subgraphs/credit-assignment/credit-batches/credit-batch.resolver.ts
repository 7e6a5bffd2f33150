import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection } from '../../../shared/subgraph/connection.js';
import {
  batchListResolver,
  batchResolver,
  batchUpdateResolver,
  documentedBatchResolver,
} from '../batches/batch.resolver.js';
import { maxLines } from '../batches/check-lines.js';
import { byCursor, readLines } from '../batches/read-lines.js';
import { requireBatch } from '../batches/require-batch.js';
import { CursorPageArgs } from '../batches/page-args.type.js';
import { readScope } from '../originators/visible-originators.js';
import { receivablesAt } from '../receivables/receivable.store.js';
import { ReceivableConnection, toReceivable } from '../receivables/receivable.type.js';
import { creditBatchGraph, toCreditBatch, type CreditBatchShape } from './credit-batch.graph.js';
import { creditBatches } from './credit-batch.kind.js';
import { CreditBatch } from './credit-batch.type.js';
import { CreditBatchContract, CreditBatchDetail } from './documented-credit-batch.type.js';

export const CreditBatchListResolver = batchListResolver(creditBatchGraph);
export const CreditBatchResolver = batchResolver(creditBatchGraph);
export const CreditBatchPageResolver = documentedBatchResolver(creditBatchGraph);
export const CreditBatchUpdateResolver = batchUpdateResolver(creditBatchGraph);

@Resolver(() => CreditBatch)
export class CreditBatchReceivablesResolver {
  constructor(private readonly codec: CursorCodec) {}

  @FieldResolver(() => ReceivableConnection, {
    description: 'Its receivables, in the order in which they were submitted',
  })
  async receivables(
    @Ctx() context: Context,
    @Root() { id, receivableCount }: CreditBatchShape,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ) {
    const { rows, cursorOf, hasNext } = await readLines(context, this.codec, receivablesAt, id, byCursor(wanted));
    const nodes = rows.map((row) => toReceivable(row, context.principal));
    return { ...toConnection(nodes, rows.map(cursorOf), hasNext), totalCount: receivableCount };
  }
}

@Resolver(() => CreditBatchDetail)
export class DocumentedCreditBatchResolver {
  @Access('originator', readScope)
  @Query(() => CreditBatchDetail, {
    description:
      'A credit batch of the caller with its contracts. REST: GET /tidc/v1/credit-batches/{id}. Errors: 404 code 2001.',
  })
  async creditBatchDetail(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the batch (UUID)' }) id: string,
    @Arg('contracts', () => Boolean, {
      nullable: true,
      description: 'Whether to include the contracts; default true. With false, `contracts` is null',
    })
    contracts: boolean | null | undefined,
  ) {
    const batch = await requireBatch(context, creditBatches, id);
    return { ...toCreditBatch(batch), withContracts: contracts ?? true };
  }

  // As for errors, the count is an argument for the sake of the cost.
  @FieldResolver(() => [CreditBatchContract], {
    nullable: true,
    description:
      'Its contracts, in the order in which they were submitted; null when they were not requested (omitted over REST)',
  })
  async contracts(
    @Ctx() context: Context,
    @Root() { id, withContracts }: { readonly id: string; readonly withContracts: boolean },
    @Arg('first', () => Int, { defaultValue: maxLines, description: 'Maximum number of items, from 1 to 50,000' })
    first: number,
  ) {
    requireBounds({ name: 'first', value: first, min: 1, max: maxLines });
    if (!withContracts) return null;
    const rows = await loaderOf(context, receivablesAt).load({ batchId: id, after: -1, first });
    return rows.map((row) => toReceivable(row, context.principal));
  }
}
