import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { toConnection } from '../../../shared/subgraph/connection.js';
import { batchListResolver, batchResolver } from '../batches/batch.resolver.js';
import { maxLines } from '../batches/check-lines.js';
import { readLines } from '../batches/read-lines.js';
import { CursorPageArgs } from '../../../shared/subgraph/page-args.js';
import { receivablesAt } from '../receivables/receivable.store.js';
import {
  Receivable,
  ReceivableConnection,
  toReceivable,
  type ReceivableShape,
} from '../receivables/receivable.type.js';
import { creditBatchGraph, type CreditBatchShape } from './credit-batch.graph.js';
import { CreditBatch } from './credit-batch.type.js';

export const CreditBatchListResolver = batchListResolver(creditBatchGraph);
export const CreditBatchResolver = batchResolver(creditBatchGraph);

@Resolver(() => CreditBatch)
export class CreditBatchReceivablesResolver {
  constructor(private readonly codec: CursorCodec) {}

  @FieldResolver(() => ReceivableConnection, {
    description: 'Its receivables, in the order in which they were submitted',
  })
  async receivables(
    @Ctx() context: Context,
    @Root() { id, receivableCount }: CreditBatchShape,
    @Args(() => CursorPageArgs) { first, after }: CursorPageArgs,
  ) {
    const wanted = { limit: first, cursor: after };
    const { rows, cursors, hasNext } = await readLines(context, this.codec, receivablesAt, id, wanted);
    const nodes = rows.map((row) => toReceivable(row, context.principal));
    return { ...toConnection(nodes, cursors, hasNext), totalCount: receivableCount };
  }

  @FieldResolver(() => [Receivable], {
    description:
      'Its first contracts, in the order in which they were submitted; `receivables` pages through all. REST has them all',
  })
  async contracts(
    @Ctx() context: Context,
    @Root() { id }: CreditBatchShape,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 50,000' })
    first: number,
  ): Promise<readonly ReceivableShape[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: maxLines });
    const rows = await loaderOf(context, receivablesAt).load({ batchId: id, after: -1, first });
    return rows.map((row) => toReceivable(row, context.principal));
  }
}
