import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { requireEstate } from '../estates/require-estate.js';
import { lockOriginator } from './originator.store.js';
import { deletePermit } from './permit.store.js';

/**
 * Withdraws the permit of an originator for an estate: its batches that are not decided yet will be rejected. Returns whether there
 * was a permit.
 * @throws {ApiError} NOT_FOUND for an originator or an estate that does not exist
 */
export async function withdrawPermit(context: Context, originatorId: string, patrimonyId: string): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    const originator = await lockOriginator(tx, originatorId);
    const estate = await requireEstate(tx, patrimonyId);
    return deletePermit(tx, { originatorId: originator.id, patrimonyId: estate.id });
  });
}
