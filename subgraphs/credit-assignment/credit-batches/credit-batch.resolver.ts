import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { connectionPage } from '../../../shared/list-page.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
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
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Connection<ReceivableShape>> {
    const page = await readLines(context, this.codec, receivablesAt, id, connectionPage(wanted));
    return toConnection(
      page,
      (row) => toReceivable(row, context.principal),
      () => receivableCount,
    );
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
    const rows = await loaderOf(context, receivablesAt).load({ batchId: id, after: null, backward: false, first });
    return rows.map((row) => toReceivable(row, context.principal));
  }
}
