import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage } from '../../../shared/graphql/list-page.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { batchListResolver, batchResolver } from '../batches/batch.resolver.js';
import { LinePageArgs } from '../batches/batch.type.js';
import { readLines } from '../batches/read-lines.js';
import { paymentsAt, type PaymentRow } from './payment.store.js';
import { settlementBatchGraph, type SettlementBatchShape } from './settlement-batch.graph.js';
import { Settlement, SettlementBatch } from './settlement-batch.type.js';

export const SettlementBatchListResolver = batchListResolver(settlementBatchGraph);
export const SettlementBatchResolver = batchResolver(settlementBatchGraph);

const SettlementConnection = connectionType(Settlement, { name: 'Settlement', nodes: 'payments' });

@Resolver(() => SettlementBatch)
export class SettlementBatchPaymentsResolver {
  constructor(private readonly codec: CursorCodec) {}

  @FieldResolver(() => SettlementConnection, {
    description:
      'Its payments, in the order in which they were submitted. Errors: 400 for arguments that are out of bounds and for a cursor of another batch.',
  })
  async settlements(
    @Ctx() context: Context,
    @Root() { id, settlementCount }: SettlementBatchShape,
    @Args(() => LinePageArgs) wanted: LinePageArgs,
  ): Promise<Connection<PaymentRow>> {
    const page = await readLines(context, this.codec, paymentsAt, id, connectionPage(wanted));
    return toConnection(
      page,
      (row) => row,
      () => settlementCount,
    );
  }
}
