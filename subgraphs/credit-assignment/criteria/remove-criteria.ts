import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { requireReason } from '../../../shared/reason.js';
import { requireEstate } from '../estates/require-estate.js';
import { deleteCriteria, findCriteria } from './criteria.store.js';

/**
 * Removes the criteria of an estate, which then accepts no credits. Returns whether there were criteria; a repetition is no error.
 * @param reason the reason, published with the correction
 * @throws {ApiError} BAD_REQUEST for the reason, NOT_FOUND for an estate that does not exist
 */
export async function removeCriteria(context: Context, patrimonyId: string, reason?: string): Promise<boolean> {
  const why = reason === undefined ? undefined : requireReason(reason);
  return inTransaction(context, async (tx) => {
    const { id } = await requireEstate(tx, patrimonyId);
    const before = await findCriteria(tx, id);
    const subject = { type: 'patrimony', id };
    await recordAudit(tx, { action: 'removeEligibilityCriteria', subject, before, reason: why });
    return deleteCriteria(tx, id);
  });
}
