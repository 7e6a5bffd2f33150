import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { requireEstate } from '../estates/require-estate.js';
import { deleteCriteria } from './criteria.store.js';

/**
 * Lets an estate take in everything. Answers whether there were criteria; doing it again is no fault.
 * @throws {Fault} NOT_FOUND for an estate that there is not
 */
export async function removeCriteria(context: Context, patrimonyId: string): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    const { id } = await requireEstate(tx, patrimonyId);
    return deleteCriteria(tx, id);
  });
}
