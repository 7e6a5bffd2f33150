import { civilDate } from '../../../shared/clock.js';
import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, requireFound } from '../../../shared/errors.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { tellOperatorPayment } from '../assignments/tell-operator-payment.js';
import { lockAsset, readInstalments, saveAsset, saveInstalments } from './asset-writes.store.js';
import { assetEvent } from './asset-event.js';
import { paidWhole, payAsset } from './asset-payment.js';
import { assetTransitions } from './asset-transitions.js';
import type { AssetRow } from './asset.store.js';

/**
 * Records that a debtor paid the open rest of an instalment. Updates balance, received amount and status, and announces a change
 * of status; credit assignment receives an event for an assigned credit. Repeating the same payment returns the same result.
 * @throws {ApiError} NOT_FOUND for an unknown instalment, UNPROCESSABLE for a day in the future, CONFLICT for an instalment paid
 *   on another day, or a credit that is settled or written off
 */
export async function recordAssetPayment(
  context: Context,
  assetId: string,
  installmentNumber: number,
  paidOn: string,
): Promise<AssetRow> {
  const today = civilDate(context.clock.now());
  if (paidOn > today) refuse('UNPROCESSABLE', [{ path: 'paidOn', message: 'must not be in the future' }]);
  return inTransaction(context, async (tx) => {
    const asset = await lockAsset(tx, assetId);
    const instalments = await readInstalments(tx, asset.id);
    const instalment = requireFound(
      instalments.find((each) => each.installmentNumber === installmentNumber),
      `The asset has no instalment ${installmentNumber}`,
    );
    if (instalment.status === 'PAID') {
      if (instalment.paidOn === paidOn) return asset;
      throw new ApiError('CONFLICT', { message: `The instalment was already paid on ${instalment.paidOn ?? ''}` });
    }
    if (assetTransitions[asset.status].PAID_IN_FULL === undefined)
      throw new ApiError('CONFLICT', { message: `The asset is ${asset.status} and accepts no payments` });
    const whole = paidWhole(instalment, paidOn);
    const after = instalments.map((each) => (each === instalment ? whole : each));
    const paid = payAsset(asset, instalments, after, today);
    await saveInstalments(tx, [whole]);
    await saveAsset(tx, paid);
    await recordAudit(tx, {
      action: 'recordAssetPayment',
      subject: { type: 'asset', id: asset.id },
      before: { status: asset.status, currentBalance: asset.currentBalance, instalment },
      after: { status: paid.status, currentBalance: paid.currentBalance, instalment: whole },
    });
    await tellOperatorPayment(tx, instalment, whole);
    if (paid.status !== asset.status) await announce(tx, assetEvent(paid, asset.status, paid.status));
    return paid;
  });
}
