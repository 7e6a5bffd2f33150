import type { Context } from '../../../shared/context.js';
import { NodeFault, type ChainNode } from './node.js';
import { readRange, type RangeRead } from './read-range.js';
import { knownBlocks, nearestBehind, nextScanGroup, noteProblem, type ScanGroup } from './scan.store.js';
import { storeRange } from './store-range.js';

/** Initial and maximum number of blocks per request. When a node rejects a request as too large, the number is halved. */
export const maxRange = 2000n;
/** A run ends after this many ranges; the next run continues. */
const maxRanges = 500;
/** Maximum number of contracts per request. */
const maxGroup = 100;

interface ReadOptions {
  readonly end: bigint;
  readonly rangeBlocks: bigint;
  readonly stopping: AbortSignal | undefined;
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
  let from = smaller(nearest, end - maxRange);
  let [size, limit] = [rangeBlocks, maxGroup];
  const refused: string[] = [];
  let error: NodeFault | undefined;
  let stored = false;
  for (let ranges = 0; ranges < maxRanges && stopping?.aborted !== true; ranges++) {
    const group = await nextScanGroup(context, chainId, { from, end, limit, without: refused });
    if (group === undefined) {
      if (from < 0n) break;
      from = -1n;
      continue;
    }
    const read = await readNext(context, node, chainId, group, { end, size });
    if ('size' in read) size = read.size;
    else if (read instanceof NodeFault) {
      limit = Math.floor(group.collections.length / 2);
      if (limit > 0) continue;
      await tell(context, group, read);
      refused.push(...group.collections.map(({ id }) => id));
      [size, limit, error] = [rangeBlocks, maxGroup, read];
    } else if (await storeRange(context, chainId, group, read)) {
      if (read.last.number - group.scannedBlock === size) size = smaller(size + size / 4n + 1n, maxRange);
      [limit, stored] = [maxGroup, true];
    } else break;
  }
  if (error !== undefined && !stored) throw error;
  return size;
}

/**
 * Reads the next range of a group, at most up to the position of the next group; if that is too much, returns a smaller size,
 * or the error if there is none.
 */
async function readNext(
  context: Context,
  node: ChainNode,
  chainId: number,
  { scannedBlock, nextScanned, collections }: ScanGroup,
  { end, size }: { readonly end: bigint; readonly size: bigint },
): Promise<RangeRead | { readonly size: bigint } | NodeFault> {
  const from = scannedBlock + 1n;
  const to = smaller(from + size - 1n, smaller(nextScanned ?? end, end));
  const [before] = await knownBlocks(context, chainId, { upTo: scannedBlock, limit: 1 });
  const contracts = collections.map(({ address }) => address);
  try {
    return await readRange(node, contracts, { from, to }, before);
  } catch (error) {
    if (!(error instanceof NodeFault && error.mayBeTooMuch)) throw error;
    return from === to ? error : { size: (to - from + 1n) / 2n };
  }
}

async function tell(context: Context, { scannedBlock, collections }: ScanGroup, { message }: NodeFault): Promise<void> {
  const problem = `Block ${scannedBlock + 1n} cannot be read: ${message}`;
  const ids = collections.map(({ id }) => id);
  await noteProblem(context, ids, problem);
  context.log.error(
    { addresses: collections.map(({ address }) => address), problem },
    'A token contract cannot be read',
  );
}

const smaller = (left: bigint, right: bigint) => (left < right ? left : right);
