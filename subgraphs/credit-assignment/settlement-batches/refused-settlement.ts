import type { ErrorDetail } from '../../../shared/errors.js';
import type { RefusedSettlement } from './settlement.store.js';

/** Formats the error of a payment that was rejected, as its originator reads it. */
export function detailOf({ position, kind, openBalance, paid, known }: RefusedSettlement): ErrorDetail {
  const at = `settlements[${position}]`;
  if (kind === 'UNKNOWN') {
    return { path: `${at}.contractId`, message: 'is not the id of a receivable of the credit batch' };
  }
  if (kind === 'CHANGED' || kind === 'REVERSED') {
    const { paymentReference, settledAmount, settledDate } = known;
    const payment = `the payment ${paymentReference ?? ''} of ${settledAmount ?? ''} on ${settledDate ?? ''}`;
    const message =
      kind === 'CHANGED'
        ? `identifies ${payment}: send that payment unchanged, or use another reference for another payment`
        : `identifies ${payment} and was reversed: use another reference for the payment that replaces it`;
    return { path: `${at}.paymentReference`, message };
  }
  if (kind === 'SETTLED') return { path: `${at}.contractId`, message: 'is a receivable that is already settled' };
  const message = `brings the payments of this batch to ${paid}, but the open balance of the receivable is ${openBalance ?? ''}`;
  return { path: `${at}.settledAmount`, message };
}
