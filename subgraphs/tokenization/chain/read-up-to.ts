import type { Context } from '../../../shared/kernel/context.js';
import { NodeFault, type ChainNode } from './node.js';
import { readRange, type RangeRead, Reorganised } from './read-range.js';
import {
  knownBlocks,
  nearestBehind,
  nextScanGroup,
  noteProblem,
  type ScanGroup,
  advance,
  insertEvents,
  keepBlock,
  lockAtBlock,
  rangesAround,
  replaceRanges,
  type ChainEvent,
} from './scan.store.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { moveTokens, type TokenRange } from './token-ranges.js';

/** Initial and maximum number of blocks per request. When a node rejects a request as too large, the number is halved. */
export const maxRange = 2000n;
/** A run ends after this many ranges; the next run continues. */
const maxRanges = 500;
const maxGroup = 100;
/** The lowest position of a collection: one that was deployed in block 0. */
const lowest = -1n;

interface ReadOptions {
  readonly end: bigint;
  /** Number of blocks that the node accepted last. */
  readonly rangeBlocks: bigint;
  readonly stopping: AbortSignal | undefined;
}

interface Progress {
  blocks: bigint;
  collections: number;
  /** Collections that are left for the next run. */
  readonly refused: string[];
  /** Why the last of them was refused. */
  error: NodeFault | undefined;
  hasStored: boolean;
}

/**
 * Reads collections until all are read up to a block: first those at most a range behind it (or the nearest, if all are
 * further), then those furthest behind. A collection for which the node rejects even a single block is logged and left for
 * the next run; the others continue.
 * @returns the range that the node accepts
 * @throws {NodeFault} when the node does not respond, or rejects every request
 */
export async function readUpTo(
  context: Context,
  node: ChainNode,
  chainId: number,
  { end, rangeBlocks, stopping }: ReadOptions,
): Promise<bigint> {
  const nearest = (await nearestBehind(context, chainId, end)) ?? end;
  const progress: Progress = {
    blocks: rangeBlocks,
    collections: maxGroup,
    refused: [],
    error: undefined,
    hasStored: false,
  };
  let from = smaller(nearest, end - maxRange);
  for (let ranges = 0; ranges < maxRanges && stopping?.aborted !== true; ranges++) {
    const selection = { from, end, limit: progress.collections, without: progress.refused };
    const group = await nextScanGroup(context, chainId, selection);
    if (group === undefined) {
      if (from <= lowest) break;
      from = lowest;
      continue;
    }
    const read = await readNext(context, node, chainId, group, { end, blocks: progress.blocks });
    if (read instanceof NodeFault) await giveWay(context, group, read, progress, rangeBlocks);
    else if ('tryBlocks' in read) progress.blocks = read.tryBlocks;
    else if (await storeRange(context, chainId, group, read))
      noteStored(progress, read.last.number - group.scannedBlock);
    // Another instance was faster, and continues.
    else break;
  }
  if (progress.error !== undefined && !progress.hasStored) throw progress.error;
  return progress.blocks;
}

/** Notes a stored range. One of the whole size was easy enough for the node that the next is a quarter longer. */
function noteStored(progress: Progress, storedBlocks: bigint): void {
  const { blocks } = progress;
  if (storedBlocks === blocks) progress.blocks = smaller(blocks + blocks / 4n + 1n, maxRange);
  progress.collections = maxGroup;
  progress.hasStored = true;
}

/** Halves a group for which the node rejects even a single block; a single collection is left for the next run. */
async function giveWay(
  context: Context,
  group: ScanGroup,
  error: NodeFault,
  progress: Progress,
  rangeBlocks: bigint,
): Promise<void> {
  progress.collections = Math.floor(group.collections.length / 2);
  if (progress.collections > 0) return;
  await tellRefused(context, group, error);
  progress.refused.push(...group.collections.map(({ id }) => id));
  progress.blocks = rangeBlocks;
  progress.collections = maxGroup;
  progress.error = error;
}

/** Reads at most up to the position of the next group. If it is too much for the node, returns the number of blocks to try next; its error, if it was a single block. */
async function readNext(
  context: Context,
  node: ChainNode,
  chainId: number,
  { scannedBlock, nextScanned, collections }: ScanGroup,
  { end, blocks }: { readonly end: bigint; readonly blocks: bigint },
): Promise<RangeRead | { readonly tryBlocks: bigint } | NodeFault> {
  const from = scannedBlock + 1n;
  const to = smaller(from + blocks - 1n, smaller(nextScanned ?? end, end));
  const [before] = await knownBlocks(context, chainId, { upTo: scannedBlock, limit: 1 });
  const contracts = collections.map(({ address }) => address);
  try {
    return await readRange(node, contracts, { from, to }, before);
  } catch (error) {
    if (!(error instanceof NodeFault && error.mayBeTooMuch)) throw error;
    return from === to ? error : { tryBlocks: (to - from + 1n) / 2n };
  }
}

async function tellRefused(
  context: Context,
  { scannedBlock, collections }: ScanGroup,
  { message }: NodeFault,
): Promise<void> {
  const problem = `Block ${scannedBlock + 1n} cannot be read: ${message}`;
  const ids = collections.map(({ id }) => id);
  await noteProblem(context, ids, problem);
  context.log.error(
    { addresses: collections.map(({ address }) => address), problem },
    'A token contract cannot be read',
  );
}

const smaller = (left: bigint, right: bigint) => (left < right ? left : right);

/** Stores events, current ownership and position in one transaction. @returns false when another instance was faster: nothing is written @throws {Reorganised} for another fork */
function storeRange(context: Context, chainId: number, group: ScanGroup, read: RangeRead): Promise<boolean> {
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
