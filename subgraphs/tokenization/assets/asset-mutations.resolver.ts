import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { Asset, toAsset, type AssetShape } from './asset.type.js';
import { recordAssetPayment } from './record-asset-payment.js';
import { reverseAssetPayment } from './reverse-asset-payment.js';
import { writeOffAsset } from './write-off-asset.js';

@Resolver()
export class AssetMutationsResolver {
  @Access('operator', 'publish')
  @Mutation(() => Asset, {
    description:
      'Records that a debtor paid what was open of an instalment. Balance, receipts and status follow; a change of status is told as `contract.status_changed`. The same payment twice is the same answer. Errors: 404 for no such instalment; 409 for one paid on another day, or an asset that is settled or written off; 422 for a day in the future.',
  })
  async recordAssetPayment(
    @Ctx() context: Context,
    @Arg('assetId', () => ID, { description: 'Id of the asset' }) assetId: string,
    @Arg('installmentNumber', () => Int, { description: 'Number of the instalment' }) installmentNumber: number,
    @Arg('paidOn', () => DateScalar, { description: 'The day on which it was paid' }) paidOn: string,
  ): Promise<AssetShape> {
    return toAsset(await recordAssetPayment(context, assetId, installmentNumber, paidOn), context.principal);
  }

  @Access('operator', 'publish')
  @Mutation(() => Asset, {
    description:
      'Reverses a payment of a debtor that an operator recorded, or that a settlement batch of an originator brought: instalment, balance, receipts and status become what they were before, and the payment stays in the history with the reason; a change of status is told as `contract.status_changed`. The receivable of a credit that an originator assigned becomes what it was too, and its payment shows as `reversed`; its originator hears of that by `settlementBatchUpdated`. Of several the last one is reversed first; those that came in together are reversed together. Errors: 400 for a reason that says nothing; 404 for no such instalment; 409 for one that is not paid, of which something else has come in than `paidAmount`, or that was imported as paid; 422 where the asset was changed since.',
  })
  async reverseAssetPayment(
    @Ctx() context: Context,
    @Arg('assetId', () => ID, { description: 'Id of the asset' }) assetId: string,
    @Arg('installmentNumber', () => Int, { description: 'Number of the instalment' }) installmentNumber: number,
    @Arg('reason', () => String, {
      description: 'Why, 1 to 500 characters on one line; it is published with the correction',
    })
    reason: string,
    @Arg('paidAmount', () => DecimalScalar, {
      nullable: true,
      description:
        'What has come in of the instalment, in reais, as the asset shows it; required where that is not all of it, so that a payment which two reverse at once is reversed once',
    })
    paidAmount?: string | null,
  ): Promise<AssetShape> {
    const reversed = { assetId, installmentNumber, reason, ...(paidAmount == null ? {} : { paidAmount }) };
    return toAsset(await reverseAssetPayment(context, reversed), context.principal);
  }

  @Access('operator', 'publish')
  @Mutation(() => Asset, {
    description:
      'Writes an asset off as unrecoverable, for good; its balance stays on record. Tells of `contract.status_changed`. Doing it again changes nothing. Errors: 404 for no such asset; 409 for one that is settled.',
  })
  async writeOffAsset(
    @Ctx() context: Context,
    @Arg('assetId', () => ID, { description: 'Id of the asset' }) assetId: string,
  ): Promise<AssetShape> {
    return toAsset(await writeOffAsset(context, assetId), context.principal);
  }
}
