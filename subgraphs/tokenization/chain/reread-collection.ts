import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { requireFound } from '../../../shared/errors.js';
import { requireAddress } from './address.js';
import { findCollection, lockCollection, type CollectionPlace, type CollectionRow } from './collection.store.js';
import { forgetCollections } from './roll-back.store.js';

/**
 * Deletes the stored events of a contract, so that the next run reads them all again. Operators use it once the cause of a
 * difference is known.
 * @throws {ApiError} BAD_REQUEST, NOT_FOUND
 */
export function rereadCollection(context: Context, place: CollectionPlace): Promise<CollectionRow> {
  requireAddress(place.address, 'address');
  return inTransaction(context, async (tx) => {
    const id = await lockCollection(tx, place);
    if (id !== undefined) await forgetCollections(tx, [id]);
    const collection = requireFound(await findCollection(tx, place), 'There is no such contract');
    tx.log.info({ address: collection.address }, 'A token contract is read again from its first block');
    return collection;
  });
}
