import { Arg, Ctx, Directive, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { toCreditBatch, type CreditBatchShape } from '../credit-batches/credit-batch.graph.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import { batchesOfReceivables, newestBatchesOf } from '../credit-batches/credit-batch.store.js';
import { CreditBatch } from '../credit-batches/credit-batch.type.js';
import { renegotiationsOf, type RenegotiationRow } from '../receivables/renegotiation.store.js';
import { Receivable, ReceivableRenegotiation, type ReceivableShape } from '../receivables/receivable.type.js';
import {
  paymentsOfReceivables,
  type PaymentRow,
  newestSettlementBatchesOf,
} from '../settlement-batches/settlement.store.js';
import { toSettlementBatch, type SettlementBatchShape } from '../settlement-batches/settlement-batch.graph.js';
import { settlementBatches } from '../settlement-batches/settlement-batch.kind.js';
import { Settlement, SettlementBatch } from '../settlement-batches/settlement-batch.type.js';
import { Asset, Patrimony } from './entities.type.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule, References } from '../../../shared/graphql/references.js';
import { batchReference } from '../batches/require-batch.js';

@Resolver(() => Patrimony)
export class PatrimonyCreditBatchesResolver {
  @FieldResolver(() => [CreditBatch], {
    description:
      "The caller's latest credit batches for this estate; use `creditBatches` to page through all. Empty when the caller has none",
  })
  async creditBatches(
    @Ctx() context: Context,
    @Root() { id }: Patrimony,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 100' }) first: number,
  ): Promise<CreditBatchShape[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    return (await loaderOf(context, newestBatchesOf).load({ patrimonyId: id, first })).map(toCreditBatch);
  }
}

@Resolver(() => Asset)
export class AssetCreditBatchResolver {
  @FieldResolver(() => CreditBatch, {
    nullable: true,
    description:
      "The caller's credit batch that contained this asset; null when the asset came from another originator's batch or from none",
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
    description: 'The asset that the receivable became; null until its batch is PROCESSED',
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
    const rows = await loaderOf(context, newestSettlementBatchesOf).load({ creditBatchId: id, first });
    return rows.map(toSettlementBatch);
  }
}

@Resolver(() => Receivable)
export class ReceivableSettlementsResolver {
  @FieldResolver(() => [Settlement], { description: 'The latest payments that were subtracted from its balance' })
  settlements(
    @Ctx() context: Context,
    @Root() { id }: ReceivableShape,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 100' }) first: number,
  ): Promise<readonly PaymentRow[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 100 });
    return loaderOf(context, paymentsOfReceivables).load({ receivableId: id, first });
  }
}

@Resolver(() => Receivable)
export class ReceivableRenegotiationsResolver {
  @Directive('@listSize(assumedSize: 4)')
  @FieldResolver(() => [ReceivableRenegotiation], {
    description:
      'Schedules that took the place of what was open, the newest first; the one that is in force is the first that was not reverted',
  })
  renegotiations(@Ctx() context: Context, @Root() { id }: ReceivableShape): Promise<readonly RenegotiationRow[]> {
    return loaderOf(context, renegotiationsOf).load(id);
  }
}

@Resolver(() => Settlement)
export class SettlementBatchOfSettlementResolver {
  @FieldResolver(() => SettlementBatch, { description: 'The settlement batch that contains the payment' })
  async batch(@Ctx() context: Context, @Root() { batchId }: PaymentRow): Promise<SettlementBatchShape> {
    const row = await loaderOf(context, settlementBatches.load).load(batchId);
    if (row === undefined)
      throw new Error(`The settlement batch ${batchId}, which a payment refers to, does not exist`);
    return toSettlementBatch(row);
  }
}

/** Resolves estates and assets by id; tokenization decides whether they exist. */
const byIdReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { id }) => (typeof id === 'string' && isUuid(id) ? { id } : null),
};

export const references: References = {
  CreditBatch: batchReference(creditBatches, toCreditBatch),
  SettlementBatch: batchReference(settlementBatches, toSettlementBatch),
  Patrimony: byIdReference,
  Asset: byIdReference,
};
