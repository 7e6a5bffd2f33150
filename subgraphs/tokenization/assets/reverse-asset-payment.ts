import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Fault } from '../../../shared/errors.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import { requireTakenBack, takeBack } from '../../../shared/import/revert.js';
import { requireReason } from '../../../shared/reason.js';
import { tokenizationImport } from '../import/domain.js';
import { findAssetPaymentAct, lockAsset, readInstalments } from './asset-acts.store.js';
import type { AssetRow } from './asset.entity.js';

/**
 * Reverses a payment of a debtor that an operator recorded: instalment, balance, what was received and status become what they were before, and a change of
 * status is told. Of several the last one is reversed first. The payment stays in the history, with the reason.
 * @throws {Fault} BAD_REQUEST for a reason that says nothing, NOT_FOUND for an instalment that there is not, CONFLICT for one that is not paid, that no operator
 *   recorded, or of a credit that an originator assigned, UNPROCESSABLE where the credit was changed since
 */
export async function reverseAssetPayment(
  context: Context,
  assetId: string,
  installmentNumber: number,
  reason: string,
): Promise<Readonly<AssetRow>> {
  const said = requireReason(reason);
  return inTransaction(context, async (tx) => {
    await requireNoImport(tx);
    const asset = await lockAsset(tx, assetId);
    const instalments = await readInstalments(tx, asset.id);
    const instalment = instalments.find((each) => each.installmentNumber === installmentNumber);
    if (instalment === undefined)
      throw new Fault('NOT_FOUND', { message: `The asset has no instalment ${installmentNumber}` });
    if (instalment.status !== 'PAID') throw new Fault('CONFLICT', { message: 'The instalment is not paid' });
    if (asset.originatorId !== null)
      throw new Fault('CONFLICT', {
        message: 'The credit was assigned by an originator: its receivable was settled too',
      });
    const id = await findAssetPaymentAct(tx, asset.id, installmentNumber);
    if (id === undefined)
      throw new Fault('CONFLICT', {
        message:
          'No operator recorded the payment, or it is from before acts were kept: import the right instalments with --correct',
      });
    const label = `payment of instalment ${installmentNumber} of ${asset.externalId}`;
    requireTakenBack(
      await takeBack(tx, [tokenizationImport], { id, action: 'reverseAssetPayment', label }, { reason: said }),
    );
    return lockAsset(tx, assetId);
  });
}
