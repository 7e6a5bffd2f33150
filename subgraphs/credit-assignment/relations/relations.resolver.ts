import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { toCreditBatch, type CreditBatchShape } from '../credit-batches/credit-batch.graph.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import { batchesOfReceivables, newestBatchesOf } from '../credit-batches/credit-batch.store.js';
import { CreditBatch } from '../credit-batches/credit-batch.type.js';
import { Receivable, type ReceivableShape } from '../receivables/receivable.type.js';
import { paymentsOfReceivables, type PaymentRow } from '../settlement-batches/payment.store.js';
import { toSettlementBatch, type SettlementBatchShape } from '../settlement-batches/settlement-batch.graph.js';
import { settlementBatches } from '../settlement-batches/settlement-batch.kind.js';
import { newestSettlementBatchesOf } from '../settlement-batches/settlement-batch.store.js';
import { Settlement, SettlementBatch } from '../settlement-batches/settlement-batch.type.js';
import { Asset, Patrimony } from './entities.type.js';

@Resolver(() => Patrimony)
export class PatrimonyCreditBatchesResolver {
  @FieldResolver(() => [CreditBatch], {
    description:
      "The caller's own credit batches for it, the newest ones; `creditBatches` pages through all. Empty for whoever has none",
  })
  async creditBatches(
    @Ctx() context: Context,
    @Root() { id }: Patrimony,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many, from 1 to 100' }) first: number,
  ): Promise<CreditBatchShape[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    return (await loaderOf(context, newestBatchesOf).load({ patrimonyId: id, first })).map(toCreditBatch);
  }
}

@Resolver(() => Asset)
export class AssetCreditBatchResolver {
  @FieldResolver(() => CreditBatch, {
    nullable: true,
    description: "The caller's own credit batch that brought it; null when another one did, or none",
  })
  async creditBatch(@Ctx() context: Context, @Root() { id }: Asset): Promise<CreditBatchShape | null> {
    const row = await loaderOf(context, batchesOfReceivables).load(id);
    return row === undefined ? null : toCreditBatch(row);
  }
}

@Resolver(() => CreditBatch)
export class CreditBatchPatrimonyResolver {
  @FieldResolver(() => Patrimony, {
    nullable: true,
    description: 'The estate that receives the credits; null while it is withdrawn',
  })
  patrimony(@Root() { patrimonyId }: CreditBatchShape): Readonly<Patrimony> {
    return { id: patrimonyId };
  }
}

@Resolver(() => Receivable)
export class ReceivableAssetResolver {
  @FieldResolver(() => Asset, {
    nullable: true,
    description: 'The asset that it became; null until its batch is PROCESSED',
  })
  asset(@Root() { id, hasAsset }: ReceivableShape): Readonly<Asset> | null {
    return hasAsset ? { id } : null;
  }
}

@Resolver(() => SettlementBatch)
export class SettlementBatchCreditBatchResolver {
  @FieldResolver(() => CreditBatch, { description: 'The credit batch whose receivables were paid' })
  async creditBatch(
    @Ctx() context: Context,
    @Root() { creditBatchId }: SettlementBatchShape,
  ): Promise<CreditBatchShape> {
    const row = await loaderOf(context, creditBatches.load).load(creditBatchId);
    if (row === undefined)
      throw new Error(`A settlement batch names the credit batch ${creditBatchId}, which is not there`);
    return toCreditBatch(row);
  }
}

@Resolver(() => CreditBatch)
export class CreditBatchSettlementBatchesResolver {
  @FieldResolver(() => [SettlementBatch], {
    description: 'Its settlement batches, the newest ones; `settlementBatches` pages through all',
  })
  async settlementBatches(
    @Ctx() context: Context,
    @Root() { id }: CreditBatchShape,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many, from 1 to 100' }) first: number,
  ): Promise<SettlementBatchShape[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    const rows = await loaderOf(context, newestSettlementBatchesOf).load({ creditBatchId: id, first });
    return rows.map(toSettlementBatch);
  }
}

@Resolver(() => Receivable)
export class ReceivableSettlementsResolver {
  @FieldResolver(() => [Settlement], {
    description: 'The payments that were taken off what is open of it, the newest ones',
  })
  settlements(
    @Ctx() context: Context,
    @Root() { id }: ReceivableShape,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many, from 1 to 100' }) first: number,
  ): Promise<readonly PaymentRow[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    return loaderOf(context, paymentsOfReceivables).load({ receivableId: id, first });
  }
}

@Resolver(() => Settlement)
export class SettlementBatchOfSettlementResolver {
  @FieldResolver(() => SettlementBatch, { description: 'The batch that it came in' })
  async batch(@Ctx() context: Context, @Root() { batchId }: PaymentRow): Promise<SettlementBatchShape> {
    const row = await loaderOf(context, settlementBatches.load).load(batchId);
    if (row === undefined) throw new Error(`A payment names the settlement batch ${batchId}, which is not there`);
    return toSettlementBatch(row);
  }
}
