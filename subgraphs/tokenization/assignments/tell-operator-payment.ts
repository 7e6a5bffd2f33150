import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import type { InstallmentRow } from '../assets/asset.store.js';
import { isAssigned } from './assigned-asset.store.js';

/**
 * Announces `assets.paid` when an operator records the payment of an instalment of an assigned credit: credit assignment deducts
 * it from the receivable.
 * @param before the instalment before the payment
 * @param after the same, paid
 */
export async function tellOperatorPayment(tx: Context, before: InstallmentRow, after: InstallmentRow): Promise<void> {
  const { assetId, installmentNumber, paidOn } = after;
  if (!(await isAssigned(tx, assetId))) return;
  const amount = new Decimal(after.paidAmount).minus(before.paidAmount).toFixed(2);
  // Uses the audit log id of the operator's mutation, which a reversal refers to.
  const paymentId = tx.auditedAct?.id ?? newId(tx.clock.now().getTime());
  const payload = { paymentId, receivableId: assetId, installmentNumber, amount, paidOn };
  await announce(tx, { topic: 'assets.paid', key: assetId, payload, internal: true });
}
