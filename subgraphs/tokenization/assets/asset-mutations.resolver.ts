import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { Asset, type AssetShape } from './asset.type.js';
import { recordAssetPayment, reverseAssetPayment, writeOffAsset } from './assets.acts.js';
import { showAsset } from './show-asset.js';

@Resolver()
export class AssetMutationsResolver {
  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Asset, {
    description:
      'Records that a debtor paid the open amount of an instalment. Balance, receipts and status are updated; a change of status is announced as `contract.status_changed`. Repeating the call for the same payment returns the same result. Errors: 404 for an instalment that does not exist; 409 for one that was paid on another day, and for an asset that is settled or written off; 422 for a day in the future.',
  })
  async recordAssetPayment(
    @Ctx() context: Context,
    @Arg('assetId', () => ID, { description: 'Id of the asset' }) assetId: string,
    @Arg('installmentNumber', () => Int, { description: 'Number of the instalment' }) installmentNumber: number,
    @Arg('paidOn', () => DateScalar, { description: 'Day of the payment' }) paidOn: string,
  ): Promise<AssetShape> {
    return showAsset(context, await recordAssetPayment(context, assetId, installmentNumber, paidOn));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Asset, {
    description:
      'Reverses a payment of a debtor that an operator recorded, an import brought or a settlement batch of an originator reported: instalment, balance, receipts and status return to their earlier values, and the payment remains in the history with the reason; a change of status is announced as `contract.status_changed`. The receivable of an assigned credit is restored too, its payment is marked `reversed`, and `settlementBatchUpdated` informs its originator. Payments that operators recorded are reversed from the last one backwards; payments that were received together are reversed together. Errors: 400 for an empty reason; 404 for an instalment that does not exist; 409 for one that is not paid, or whose received amount differs from `paidAmount`; 422 when a later payment has to be reversed first.',
  })
  async reverseAssetPayment(
    @Ctx() context: Context,
    @Arg('assetId', () => ID, { description: 'Id of the asset' }) assetId: string,
    @Arg('installmentNumber', () => Int, { description: 'Number of the instalment' }) installmentNumber: number,
    @Arg('reason', () => String, {
      description: 'Reason, 1 to 500 characters on one line; it is published with the correction',
    })
    reason: string,
    @Arg('paidAmount', () => DecimalScalar, {
      nullable: true,
      description:
        'Amount received for the instalment, in BRL, as the asset shows it; required when it is less than the whole amount, so that two concurrent reversals reverse a payment only once',
    })
    paidAmount?: string | null,
  ): Promise<AssetShape> {
    const reversed = { assetId, installmentNumber, reason, ...(paidAmount == null ? {} : { paidAmount }) };
    return showAsset(context, await reverseAssetPayment(context, reversed));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Asset, {
    description:
      'Writes an asset off as unrecoverable. This cannot be undone; its balance remains on record. Announced as `contract.status_changed`. Repeating the call changes nothing. The originator of an assigned credit may then assign its external id again, in a new batch. Errors: 404 for an asset that does not exist; 409 for one that is settled.',
  })
  async writeOffAsset(
    @Ctx() context: Context,
    @Arg('assetId', () => ID, { description: 'Id of the asset' }) assetId: string,
  ): Promise<AssetShape> {
    return showAsset(context, await writeOffAsset(context, assetId));
  }
}
