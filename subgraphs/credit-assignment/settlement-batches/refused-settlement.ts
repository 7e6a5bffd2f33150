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
    const payment = `the payment ${paymentReference ?? ''}, which is of ${settledAmount ?? ''} on ${settledDate ?? ''}`;
    const message =
      kind === 'CHANGED'
        ? `names ${payment}: send it as it was, or give another payment another reference`
        : `names ${payment} and was reversed: give the payment that takes its place another reference`;
    return { path: `${at}.paymentReference`, message };
  }
  if (kind === 'SETTLED') return { path: `${at}.contractId`, message: 'is a receivable that was already settled' };
  const message = `makes ${paid} paid in this batch, and ${openBalance ?? ''} is open of the receivable`;
  return { path: `${at}.settledAmount`, message };
}
