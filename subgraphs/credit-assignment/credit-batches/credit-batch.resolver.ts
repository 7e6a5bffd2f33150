import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage } from '../../../shared/graphql/list-page.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { batchListResolver, batchResolver } from '../batches/batch.resolver.js';
import { LinePageArgs } from '../batches/batch.type.js';
import { readLines } from '../batches/read-lines.js';
import { receivablesAt } from '../receivables/receivable.store.js';
import { ReceivableConnection, toReceivable, type ReceivableShape } from '../receivables/receivable.type.js';
import { creditBatchGraph, type CreditBatchShape } from './credit-batch.graph.js';
import { CreditBatch } from './credit-batch.type.js';

export const CreditBatchListResolver = batchListResolver(creditBatchGraph);
export const CreditBatchResolver = batchResolver(creditBatchGraph);

@Resolver(() => CreditBatch)
export class CreditBatchReceivablesResolver {
  constructor(private readonly codec: CursorCodec) {}

  @FieldResolver(() => ReceivableConnection, {
    description:
      'Its receivables, in the order in which they were submitted. Errors: 400 for arguments that are out of bounds and for a cursor of another batch.',
  })
  async receivables(
    @Ctx() context: Context,
    @Root() { id, receivableCount }: CreditBatchShape,
    @Args(() => LinePageArgs) wanted: LinePageArgs,
  ): Promise<Connection<ReceivableShape>> {
    const page = await readLines(context, this.codec, receivablesAt, id, connectionPage(wanted));
    return toConnection(
      page,
      (row) => toReceivable(row, context.principal),
      () => receivableCount,
    );
  }
}
