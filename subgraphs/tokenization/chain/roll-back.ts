import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { groupBy } from '../../../shared/group-by.js';
import { deleteEventsBeyond, forgetCollections, lockBeyond, setBack } from './roll-back.store.js';
import { rangesAround, replaceRanges } from './scan.store.js';
import { moveTokens, undoing, type TokenRange } from './token-ranges.js';

/**
 * Rolls back everything read of a chain after a block, including token ownership. A movement that contradicts earlier ones does
 * not say which owner it replaced, so a collection with such movements and with events after the block is read again from its
 * beginning.
 */
export function rollBack(context: Context, chainId: number, block: bigint): Promise<void> {
  return inTransaction(context, async (tx) => {
    const collections = await lockBeyond(tx, chainId, block);
    const ids = collections.map(({ id }) => id);
    const events = await deleteEventsBeyond(tx, ids, block);
    const known = await rangesAround(tx, events);
    const byCollection = groupBy(events, ({ collectionId }) => collectionId);
    const before = new Map<string, readonly TokenRange[]>();
    for (const [id, list] of byCollection) before.set(id, moveTokens(known.get(id) ?? [], undoing(list)).ranges);
    await replaceRanges(tx, known, before);
    await setBack(tx, chainId, block, ids, [...byCollection.keys()]);
    const unsure = collections.filter(({ id, gaps }) => gaps > 0 && byCollection.has(id)).map(({ id }) => id);
    await forgetCollections(tx, unsure);
    tx.log.info({ chainId, block: Number(block), events: events.length }, 'The chain was reorganized');
  });
}
