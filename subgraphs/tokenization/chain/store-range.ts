import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { Reorganised, type RangeRead } from './read-range.js';
import {
  advance,
  insertEvents,
  keepBlock,
  lockAtBlock,
  rangesAround,
  replaceRanges,
  type ChainEvent,
  type ScanGroup,
} from './scan.store.js';
import { moveTokens, type TokenRange } from './token-ranges.js';

/** Stores events, current ownership and position in one transaction. @returns false when another instance was faster: nothing is written @throws {Reorganised} for another fork */
export function storeRange(context: Context, chainId: number, group: ScanGroup, read: RangeRead): Promise<boolean> {
  const ids = group.collections.map(({ id }) => id);
  const events = eventsOf(group, read);
  return inTransaction(context, async (tx) => {
    if ((await lockAtBlock(tx, ids, group.scannedBlock)) !== ids.length) return false;
    if (!(await keepBlock(tx, chainId, read.last))) throw new Reorganised(`Block ${read.last.number} was replaced`);
    const changed = new Map<string, number>();
    if (events.length > 0) {
      await insertEvents(tx, chainId, events);
      const known = await rangesAround(tx, events);
      const after = new Map<string, readonly TokenRange[]>();
      for (const [id, list] of groupBy(events, ({ collectionId }) => collectionId)) {
        const { ranges, gaps } = moveTokens(known.get(id) ?? [], list);
        after.set(id, ranges);
        changed.set(id, gaps);
      }
      await replaceRanges(tx, known, after);
    }
    await advance(tx, ids, read.last.number, changed);
    return true;
  });
}

function eventsOf(group: ScanGroup, { movements, madeAt }: RangeRead): ChainEvent[] {
  const ids = new Map(group.collections.map(({ id, address }) => [address.toLowerCase(), id]));
  return movements.map((movement) => {
    const collectionId = ids.get(movement.contract);
    const occurredAt = madeAt.get(movement.blockHash);
    if (collectionId === undefined || occurredAt === undefined)
      throw new Reorganised(`Log ${movement.logIndex} of block ${movement.blockNumber} was not requested`);
    return { ...movement, collectionId, occurredAt };
  });
}
