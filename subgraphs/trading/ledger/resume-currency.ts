import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { requireReason } from '../../../shared/reason.js';
import { markAllResolved } from './finding.store.js';
import { removeHalt } from './halt.store.js';

/**
 * Lifts the halt that reconciliation put on a currency, and resolves all of its open findings. A remaining discrepancy is
 * found, and halts the currency, again: within a minute, or during the next night.
 * @returns how many findings it resolved
 * @throws {ApiError} BAD_REQUEST without a reason; NOT_FOUND for a currency that is not halted in this world
 */
export async function resumeCurrency(
  context: Context,
  of: { readonly currency: string; readonly synthetic: boolean },
  reason: string,
): Promise<number> {
  const resolution = requireReason(reason);
  return inTransaction(context, async (tx) => {
    // In the order in which reconciliation writes them, so that the two cannot deadlock.
    const resolved = await markAllResolved(tx, of, resolution);
    const before = await removeHalt(tx, of.currency, of.synthetic);
    if (before === undefined) throw new ApiError('NOT_FOUND', { message: `Trading of ${of.currency} is not halted` });
    const subject = { type: 'currency', id: of.currency };
    await recordAudit(tx, {
      action: 'resumeCurrency',
      subject,
      before,
      after: { ...of, resolved, reason: resolution },
    });
    return resolved;
  });
}
