import { findActBehind } from '../../../shared/audit/acts-behind.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import { ApiError, requireFound } from '../../../shared/errors.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import { requireTakenBack, takeBack } from '../../../shared/import/revert.js';
import { requireReason } from '../../../shared/reason.js';
import { tokenizationImport } from '../import/domain.js';
import { reverseAssignedPayment } from '../assignments/reverse-assigned-payment.js';
import { lockAsset, readInstalments } from './asset-writes.store.js';
import type { AssetRow, InstallmentRow } from './asset.store.js';
import { isAsPaid } from './paid-state.store.js';
import { makeUnpaid } from './make-unpaid.js';

/** A payment to reverse because it did not take place. */
export interface ReversedPayment {
  readonly assetId: string;
  readonly installmentNumber: number;
  readonly reason: string;
  /** The amount received for the instalment as the operator knows it, in BRL; required if it is only part of the instalment. */
  readonly paidAmount?: string | null;
}

/**
 * Reverses a payment of a debtor: recorded by an operator, brought by an import, or received in a settlement batch of an originator. Restores the previous
 * instalment, balance, received amount and status, and announces a change of status; credit assignment reopens the receivable of an assigned credit. The
 * latest of several payments that operators recorded is reversed first. The payment stays in the history, with the reason.
 * @throws {ApiError} BAD_REQUEST for an empty reason, NOT_FOUND for an unknown instalment, CONFLICT for an unpaid instalment, or one whose received amount
 *   differs from `paidAmount`, UNPROCESSABLE for a payment before which another one is to be reversed
 */
export async function reverseAssetPayment(
  context: Context,
  { assetId, installmentNumber, reason, paidAmount = null }: ReversedPayment,
): Promise<AssetRow> {
  const said = requireReason(reason);
  return inTransaction(context, async (tx) => {
    await requireNoImport(tx);
    const asset = await lockAsset(tx, assetId);
    const instalments = await readInstalments(tx, asset.id);
    const instalment = requireFound(
      instalments.find((each) => each.installmentNumber === installmentNumber),
      `The asset has no instalment ${installmentNumber}`,
    );
    requirePaid(instalment, paidAmount, asset.originatorId !== null);
    if (asset.originatorId !== null)
      return reverseAssignedPayment(tx, asset, instalments, { installmentNumber, reason: said });
    const id = await findActBehind(tx, 'recordAssetPayment', {
      table: 'tokenization.asset_installments',
      row: 'asset_id = $2 AND installment_number = $3',
      values: [asset.id, installmentNumber],
    });
    const label = `payment of instalment ${installmentNumber} of ${asset.externalId}`;
    const act = { action: 'reverseAssetPayment', label, reason: said } as const;
    requireTakenBack(
      id !== undefined && (await isAsPaid(tx, asset.id))
        ? await takeBack(tx, [tokenizationImport], { id, ...act }, { reason: said })
        : await makeUnpaid(tx, asset, instalments, instalment, act),
    );
    return lockAsset(tx, assetId);
  });
}

/**
 * Ensures that two concurrent reversals reverse a payment once: a reversal of a part states the received amount, and the second caller
 * finds another amount.
 * @throws {ApiError} CONFLICT
 */
function requirePaid({ status, paidAmount: known }: InstallmentRow, said: string | null, takesParts: boolean): void {
  if (said !== null && !new Decimal(said).eq(known))
    throw new ApiError('CONFLICT', {
      message: `The amount received for the instalment is R$ ${known}, not R$ ${said}: read the asset again`,
    });
  if (status === 'PAID' || (takesParts && said !== null)) return;
  const part = takesParts && !new Decimal(known).isZero();
  throw new ApiError('CONFLICT', {
    message: part
      ? `The instalment is not paid in full: to reverse its last payment, give the amount received for it, which is R$ ${known} (paidAmount)`
      : 'The instalment is not paid',
  });
}
