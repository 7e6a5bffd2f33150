import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { connectionType } from '../../../shared/subgraph/connection-type.js';
import { toConnection } from '../../../shared/subgraph/connection.js';
import { batchListResolver, batchResolver } from '../batches/batch.resolver.js';
import { maxLines } from '../batches/check-lines.js';
import { readLines } from '../batches/read-lines.js';
import { CursorPageArgs } from '../../../shared/subgraph/page-args.js';
import { paymentsAt, type PaymentRow } from './payment.store.js';
import { settlementBatchGraph, type SettlementBatchShape } from './settlement-batch.graph.js';
import { Settlement, SettlementBatch } from './settlement-batch.type.js';

export const SettlementBatchListResolver = batchListResolver(settlementBatchGraph);
export const SettlementBatchResolver = batchResolver(settlementBatchGraph);

const SettlementConnection = connectionType(Settlement, { name: 'Settlement', nodes: 'payments', counted: true });

@Resolver(() => SettlementBatch)
export class SettlementBatchPaymentsResolver {
  constructor(private readonly codec: CursorCodec) {}

  @FieldResolver(() => SettlementConnection, { description: 'Its payments, in the order in which they were submitted' })
  async settlements(
    @Ctx() context: Context,
    @Root() { id, settlementCount }: SettlementBatchShape,
    @Args(() => CursorPageArgs) { first, after }: CursorPageArgs,
  ) {
    const wanted = { limit: first, cursor: after };
    const { rows, cursors, hasNext } = await readLines(context, this.codec, paymentsAt, id, wanted);
    return { ...toConnection(rows, cursors, hasNext), totalCount: settlementCount };
  }

  @FieldResolver(() => [Settlement], {
    description:
      'Its first payments, in the order in which they were submitted; `settlements` pages through all. REST has them all, as `settlements`',
  })
  payments(
    @Ctx() context: Context,
    @Root() { id }: SettlementBatchShape,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 50,000' })
    first: number,
  ): Promise<readonly PaymentRow[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: maxLines });
    return loaderOf(context, paymentsAt).load({ batchId: id, after: -1, first });
  }
}
