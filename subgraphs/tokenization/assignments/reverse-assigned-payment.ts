import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError, errorAt, refuse } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { lockAsset, saveAsset, saveInstalments } from '../assets/asset-list.store.js';
import type { AssetRow, InstallmentRow } from '../assets/asset.store.js';
import { assetEvent } from '../assets/asset-event.js';
import { announceCredits } from './book-credits.js';
import { unpaidOf } from './tell-moves.js';
import { findRenegotiation } from './renegotiation.store.js';
import { findBeforePayment, type BeforePayment } from './assigned-asset.store.js';

interface AssignedReversal {
  readonly installmentNumber: number;
  readonly reason: string;
  /** How much of it is reversed; all when null. */
  readonly amount: string | null;
}

/**
 * Reverses the last payment of an instalment of a credit that an originator assigned, whether it came from a settlement batch or from an operator. Restores
 * instalment, balance, receipts and status, and credit assignment reopens the receivable.
 * @param asset locked
 * @param instalments all of its instalments
 * @throws {ApiError} UNPROCESSABLE for a part that no batch brought, CONFLICT if nothing was received for the instalment, or if it was received before payments were kept, or before a renegotiation that stands
 */
export async function reverseAssignedPayment(
  tx: Context,
  asset: AssetRow,
  instalments: readonly InstallmentRow[],
  { installmentNumber, reason, amount: part }: AssignedReversal,
): Promise<AssetRow> {
  const paid = instalments.find((each) => each.installmentNumber === installmentNumber);
  if (paid === undefined || new Decimal(paid.paidAmount).isZero())
    throw new ApiError('CONFLICT', { message: 'No payment of the instalment was received' });
  const renegotiation = await findRenegotiation(tx, asset.id);
  if (renegotiation !== undefined && installmentNumber < renegotiation.firstNumber)
    throw new ApiError('CONFLICT', {
      message: 'The payment was received before the asset was renegotiated: revert the renegotiation first',
    });
  const before = await findBeforePayment(tx, asset, paid);
  if (before === undefined)
    throw new ApiError('CONFLICT', {
      message: 'The payment was made before payments were logged: it cannot be reversed',
    });
  const last = new Decimal(paid.paidAmount).minus(before.paidAmount);
  const lastAbated = new Decimal(paid.abatedAmount).minus(before.abatedAmount);
  const amount = new Decimal(part ?? last);
  // The payment of an operator is one.
  if (part !== null && (before.act !== null || amount.lte(0) || amount.gt(last) || amount.dp() > 2))
    refuse('UNPROCESSABLE', [
      errorAt('amount', 'REVERSED_PART', { last: before.act === null ? last.toFixed(2) : '0.00' }),
    ]);
  const abated = Decimal.max(lastAbated.minus(last.minus(amount)), 0);
  const less = (whole: string, by: Decimal) => new Decimal(whole).minus(by).toFixed(2);
  const amounts = { paidAmount: less(paid.paidAmount, amount), abatedAmount: less(paid.abatedAmount, abated) };
  const unpaid = { ...paid, ...amounts, paidOn: before.paidOn, status: before.instalmentStatus };
  const left = instalments.with(instalments.indexOf(paid), unpaid);
  const after = unpaidAsset(asset, left, before, { amount, abated });
  await saveInstalments(tx, [unpaid]);
  await saveAsset(tx, after);
  await recordAudit(tx, {
    action: 'reverseAssetPayment',
    subject: { type: 'asset', id: asset.id },
    before: { status: asset.status, currentBalance: asset.currentBalance, instalment: paid },
    after: { status: after.status, currentBalance: after.currentBalance, instalment: unpaid },
    reason,
  });
  const id = newId(tx.clock.now().getTime());
  const sums = { amount: amount.toFixed(2), abated: abated.toFixed(2) };
  const told = { installmentNumber, paidOn: paid.paidOn, ...sums, paymentId: before.act, unpaid: unpaidOf(left) };
  const payload = { id, receivableId: asset.id, ...told };
  await announce(tx, { topic: 'assets.payment_reversed', key: asset.id, payload, internal: true });
  await announceCredits(tx, [asset.id]);
  if (after.status !== asset.status) await announce(tx, assetEvent(after, asset.status, after.status));
  return lockAsset(tx, asset.id);
}

/** Amount that is owed again, in BRL, and its abated part. */
interface Opened {
  readonly amount: Decimal;
  readonly abated: Decimal;
}

/**
 * Returns a credit without one of its payments. A credit that was written off stays so.
 * @param instalments all of them, as they are without the payment
 */
function unpaidAsset(
  asset: AssetRow,
  instalments: readonly InstallmentRow[],
  before: BeforePayment,
  { amount, abated }: Opened,
): AssetRow {
  const pending = instalments.filter(({ status }) => status === 'PENDING');
  return {
    ...asset,
    status: asset.status === 'SETTLED' ? before.assetStatus : asset.status,
    currentBalance: amount.plus(asset.currentBalance).toFixed(2),
    received: new Decimal(asset.received).minus(amount).plus(abated).toFixed(2),
    abated: new Decimal(asset.abated).minus(abated).toFixed(2),
    paidInstallments: instalments.length - pending.length,
    nextDueDate: pending[0]?.dueDate ?? null,
  };
}
