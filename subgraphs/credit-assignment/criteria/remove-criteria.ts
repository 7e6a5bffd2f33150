import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { requireEstate } from '../estates/require-estate.js';
import { deleteCriteria, findCriteria } from './criteria.store.js';

/**
 * Lets an estate take in nothing more. Returns whether there were criteria; doing it again is no fault.
 * @throws {Fault} NOT_FOUND for an estate that there is not
 */
export async function removeCriteria(context: Context, patrimonyId: string): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    const { id } = await requireEstate(tx, patrimonyId);
    const before = await findCriteria(tx, id);
    await recordAudit(tx, { action: 'removeEligibilityCriteria', subject: { type: 'patrimony', id }, before });
    return deleteCriteria(tx, id);
  });
}
