import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { requireEstate } from '../estates/require-estate.js';
import { lockOriginator, type OriginatorRow } from './originator.store.js';
import { addPermit, deletePermit } from './originator-key.store.js';

/** A repetition changes nothing. @throws {ApiError} NOT_FOUND for an originator or an estate that does not exist */
export async function permitOriginator(
  context: Context,
  originatorId: string,
  patrimonyId: string,
): Promise<OriginatorRow> {
  return inTransaction(context, async (tx) => {
    const originator = await lockOriginator(tx, originatorId);
    const estate = await requireEstate(tx, patrimonyId);
    await addPermit(tx, { originatorId: originator.id, patrimonyId: estate.id });
    return originator;
  });
}

/** Its batches that are not decided yet will be rejected. Returns whether there was a permit. @throws {ApiError} as `permitOriginator` */
export async function withdrawPermit(context: Context, originatorId: string, patrimonyId: string): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    const originator = await lockOriginator(tx, originatorId);
    const estate = await requireEstate(tx, patrimonyId);
    return deletePermit(tx, { originatorId: originator.id, patrimonyId: estate.id });
  });
}
