import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { isUuid } from '../../../shared/ids.js';
import type { ReferenceRule } from '../../../shared/subgraph/references.js';
import { seenBatchesById } from '../credit-batches/credit-batch-list.store.js';
import { CreditBatch, toCreditBatch, type CreditBatchShape } from '../credit-batches/credit-batch.type.js';
import { Receivable, type ReceivableShape } from '../receivables/receivable.type.js';
import { paymentsOfReceivables } from './payment.store.js';
import { newestSettlementBatchesOf, seenSettlementBatchesById } from './settlement-batch-list.store.js';
import {
  Settlement,
  SettlementBatch,
  toSettlement,
  toSettlementBatch,
  type SettlementBatchShape,
  type SettlementShape,
} from './settlement-batch.type.js';

/** Resolves references of other subgraphs to a settlement batch by id, for callers who may see it. */
export const settlementBatchReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, { id }) => {
    if (typeof id !== 'string' || !isUuid(id)) return null;
    const row = await loaderOf(context, seenSettlementBatchesById).load(id.toLowerCase());
    return row === undefined ? null : toSettlementBatch(row);
  },
};

@Resolver(() => SettlementBatch)
export class SettlementBatchCreditBatchResolver {
  @FieldResolver(() => CreditBatch, { description: 'The credit batch whose receivables were paid' })
  async creditBatch(
    @Ctx() context: Context,
    @Root() { creditBatchId }: SettlementBatchShape,
  ): Promise<CreditBatchShape> {
    const row = await loaderOf(context, seenBatchesById).load(creditBatchId);
    if (row === undefined)
      throw new Error(`The credit batch ${creditBatchId}, which a settlement batch refers to, does not exist`);
    return toCreditBatch(row);
  }
}

@Resolver(() => CreditBatch)
export class CreditBatchSettlementBatchesResolver {
  @FieldResolver(() => [SettlementBatch], {
    description: 'Its latest settlement batches; use `settlementBatches` to page through all',
  })
  async settlementBatches(
    @Ctx() context: Context,
    @Root() { id }: CreditBatchShape,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 100' }) first: number,
  ): Promise<SettlementBatchShape[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    return (await loaderOf(context, newestSettlementBatchesOf).load({ creditBatchId: id, first })).map(
      toSettlementBatch,
    );
  }
}

@Resolver(() => Receivable)
export class ReceivableSettlementsResolver {
  @FieldResolver(() => [Settlement], {
    description: 'The latest payments that were subtracted from its balance',
  })
  async settlements(
    @Ctx() context: Context,
    @Root() { id }: ReceivableShape,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 100' }) first: number,
  ): Promise<SettlementShape[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    return (await loaderOf(context, paymentsOfReceivables).load({ receivableId: id, first })).map(toSettlement);
  }
}

@Resolver(() => Settlement)
export class SettlementBatchOfSettlementResolver {
  @FieldResolver(() => SettlementBatch, { description: 'The settlement batch that contains the payment' })
  async batch(@Ctx() context: Context, @Root() { batchId }: SettlementShape): Promise<SettlementBatchShape> {
    const row = await loaderOf(context, seenSettlementBatchesById).load(batchId);
    if (row === undefined)
      throw new Error(`The settlement batch ${batchId}, which a payment refers to, does not exist`);
    return toSettlementBatch(row);
  }
}
