import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import { ApiError } from '../../../shared/errors.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import { requireTakenBack, takeBack } from '../../../shared/import/revert.js';
import { requireReason } from '../../../shared/reason.js';
import { tokenizationImport } from '../import/domain.js';
import { reverseAssignedPayment } from '../assignments/reverse-assigned-payment.js';
import { findAssetPaymentAct, lockAsset, readInstalments, type AssetInstalment } from './asset-acts.store.js';
import type { AssetRow } from './asset.entity.js';

/** A payment that did not take place. */
export interface ReversedPayment {
  readonly assetId: string;
  readonly installmentNumber: number;
  readonly reason: string;
  /** What has come in of the instalment as the operator knows it, in BRL; needed where that is not all of it. */
  readonly paidAmount?: string | null;
}

/**
 * Reverses a payment of a debtor that an operator recorded, or that the settlement batch of an originator brought: instalment, balance, what was received and status
 * become what they were before, and a change of status is told; credit assignment opens the receivable of an assigned credit again. Of several the last one is
 * reversed first. The payment stays in the history, with the reason.
 * @throws {ApiError} BAD_REQUEST for a reason that says nothing, NOT_FOUND for an instalment that there is not, CONFLICT for one that is not paid, or of which
 *   something else has come in than `paidAmount`, or that was imported as paid, UNPROCESSABLE where the credit was changed since
 */
export async function reverseAssetPayment(
  context: Context,
  { assetId, installmentNumber, reason, paidAmount = null }: ReversedPayment,
): Promise<Readonly<AssetRow>> {
  const said = requireReason(reason);
  return inTransaction(context, async (tx) => {
    await requireNoImport(tx);
    const asset = await lockAsset(tx, assetId);
    const instalments = await readInstalments(tx, asset.id);
    const instalment = instalments.find((each) => each.installmentNumber === installmentNumber);
    if (instalment === undefined)
      throw new ApiError('NOT_FOUND', { message: `The asset has no instalment ${installmentNumber}` });
    requirePaid(instalment, paidAmount, asset.originatorId !== null);
    if (asset.originatorId !== null)
      return reverseAssignedPayment(tx, asset, instalments, { installmentNumber, reason: said });
    const id = await findAssetPaymentAct(tx, asset.id, installmentNumber);
    if (id === undefined)
      throw new ApiError('CONFLICT', {
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

/**
 * A payment that two reverse at once is reversed once: who reverses a part says what has come in, and the second finds something else.
 * @throws {ApiError} CONFLICT
 */
function requirePaid({ status, paidAmount: known }: AssetInstalment, said: string | null, takesParts: boolean): void {
  if (said !== null && !new Decimal(said).eq(known))
    throw new ApiError('CONFLICT', { message: `R$ ${known} of the instalment have come in, and not R$ ${said}` });
  if (status === 'PAID' || (takesParts && said !== null)) return;
  const part = takesParts && !new Decimal(known).isZero();
  throw new ApiError('CONFLICT', {
    message: part
      ? `The instalment is not paid whole: to reverse its last payment say what has come in of it, which is R$ ${known} (paidAmount)`
      : 'The instalment is not paid',
  });
}
