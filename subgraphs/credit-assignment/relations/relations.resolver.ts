import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { batchesOfReceivables, newestBatchesOf } from '../credit-batches/credit-batch-list.store.js';
import { toCreditBatch, type CreditBatchShape } from '../credit-batches/credit-batch.graph.js';
import { CreditBatch } from '../credit-batches/credit-batch.type.js';
import { Receivable, type ReceivableShape } from '../receivables/receivable.type.js';
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
