import type { Context } from '../../../shared/kernel/context.js';
import type { AssetRow, InstallmentRow } from './asset.store.js';

/** Whether a credit is as a payment of an operator left it, or a reversal of an act restored it: nothing else has changed it since. */
export async function isAsPaid({ manager }: Context, assetId: string): Promise<boolean> {
  const row = await manager.row<{ action: string | null }>(
    `SELECT l.action FROM tokenization.assets a LEFT JOIN shared.audit_log l ON l.id = a.recorded_by WHERE a.id = $1`,
    [assetId],
  );
  return row?.action === 'recordAssetPayment' || row?.action === 'revertImport';
}

/** Returns the number of the instalment of a credit whose payment an operator recorded last, if that was after the payment of another one. */
export function findPaidLater(
  { manager }: Context,
  { assetId, installmentNumber }: InstallmentRow,
): Promise<number | undefined> {
  return manager.value(
    `SELECT later.installment_number FROM tokenization.asset_installments paid
     JOIN shared.audit_log own ON own.id = paid.recorded_by AND own.action = 'recordAssetPayment'
     JOIN tokenization.asset_installments later ON later.asset_id = paid.asset_id AND later.status = 'PAID'
       AND later.recorded_at > paid.recorded_at
     JOIN shared.audit_log l ON l.id = later.recorded_by AND l.action = 'recordAssetPayment'
     WHERE paid.asset_id = $1 AND paid.installment_number = $2 ORDER BY later.recorded_at DESC LIMIT 1`,
    [assetId, installmentNumber],
  );
}

/** Returns the amount received for an instalment before it was paid in full, as it was last kept; undefined if it was never kept unpaid. */
export function findPartBefore(
  { manager }: Context,
  { assetId, installmentNumber, amount }: InstallmentRow,
): Promise<string | undefined> {
  return manager.value(
    `SELECT CASE WHEN paid_amount < $3::numeric THEN paid_amount ELSE 0 END FROM tokenization.asset_installments_versions
     WHERE asset_id = $1 AND installment_number = $2 AND status = 'PENDING' ORDER BY record_version DESC LIMIT 1`,
    [assetId, installmentNumber, amount],
  );
}

/** Returns the balance that a credit had when as much had been received for the same instalments; undefined if no such state was kept. */
export function findBalanceBefore(
  { manager }: Context,
  { id, originalValue, installments, received, paidInstallments }: AssetRow,
): Promise<string | undefined> {
  return manager.value(
    `SELECT current_balance FROM tokenization.assets_versions
     WHERE id = $1 AND (original_value, installments, received, paid_installments) = ($2::numeric, $3::integer, $4::numeric, $5::integer)
       AND status IN ('ACTIVE', 'DEFAULTED') ORDER BY record_version DESC LIMIT 1`,
    [id, originalValue, installments, received, paidInstallments],
  );
}
