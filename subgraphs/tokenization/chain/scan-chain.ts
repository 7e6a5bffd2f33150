import type { Context } from '../../../shared/context.js';
import { announceCollections } from './announce-collections.js';
import { checkCollections } from './check-collections.js';
import { findFork } from './find-fork.js';
import { NodeFault, type Block, type ChainNode } from './node.js';
import { readRange, Reorganised, type RangeRead } from './read-range.js';
import { rollBack } from './roll-back.js';
import { findChain, keepBlock, knownBlocks, nextScanGroup, saveChain, type ScanGroup } from './scan.store.js';
import { storeRange } from './store-range.js';

/** The chain that the collections are on. */
export interface ChainSettings {
  readonly id: number;
  /** Blocks after which one is final, where the node does not say which are. */
  readonly confirmations: number;
}

/** Blocks read at once: at first and at most. A node that refuses so many is asked for half. */
const maxRange = 2000n;
/** A run ends after so many ranges; the next one goes on. */
const maxRanges = 500;
const maxForks = 5;

/**
 * Reads what happened to the collections of a chain since the last time, checks it and announces it. What is done is in the
 * database range by range: ended anywhere, the next run goes on from there. Two runs at once do no harm.
 * @param stopping aborted when it has to end after the range under way
 * @throws {NodeFault} when the node does not answer
 * @throws {Error} when it is a node of another chain, or contradicts what was final
 */
export async function scanChain(
  context: Context,
  node: ChainNode,
  settings: ChainSettings,
  stopping?: AbortSignal,
): Promise<void> {
  if ((await nextScanGroup(context, settings.id, endOfTime)) === undefined) return;
  const chainId = await node.chainId();
  if (chainId !== settings.id) throw new Error(`The node is of chain ${chainId}, and CHAIN_ID is ${settings.id}`);
  for (let forks = 0; ; forks++) {
    try {
      await scanOnce(context, node, settings, stopping);
      return;
    } catch (error) {
      if (!(error instanceof Reorganised) || forks === maxForks) throw error;
      context.log.info({ chainId, reason: error.message }, 'The chain changed while it was read');
    }
  }
}

/** Beyond any block. */
const endOfTime = 2n ** 62n;

async function scanOnce(
  context: Context,
  node: ChainNode,
  { id, confirmations }: ChainSettings,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const head = await node.head();
  const final = (await node.finalized()) ?? (await confirmed(node, head.number - BigInt(confirmations)));
  const fork = await findFork(context, node, id);
  if (fork !== undefined) await rollBack(context, id, fork);
  const known = await findChain(context, id);
  const rangeBlocks = await readUpTo(context, node, id, {
    end: head.number,
    rangeBlocks: known?.rangeBlocks ?? maxRange,
    stopping,
  });
  await checkCollections(context, node, id, head);
  await announceCollections(context, id, head.number);
  if (final !== undefined && !(await keepBlock(context, id, final))) {
    throw new Reorganised(`Block ${final.number} was replaced`);
  }
  await saveChain(context, id, { head: head.number, finalBlock: final?.number ?? -1n, rangeBlocks });
}

/** The block that enough others stand upon, where there are so many. */
function confirmed(node: ChainNode, number: bigint): Promise<Block | undefined> {
  return number < 0n ? Promise.resolve(undefined) : node.block(number);
}

interface ReadOptions {
  readonly end: bigint;
  readonly rangeBlocks: bigint;
  readonly stopping: AbortSignal | undefined;
}

/** Reads the collections that are furthest behind until all are read up to a block. @returns the range that the node bears */
async function readUpTo(
  context: Context,
  node: ChainNode,
  chainId: number,
  { end, rangeBlocks, stopping }: ReadOptions,
): Promise<bigint> {
  let size = rangeBlocks;
  for (let ranges = 0; ranges < maxRanges && stopping?.aborted !== true; ranges++) {
    const group = await nextScanGroup(context, chainId, end);
    if (group === undefined) break;
    const read = await readNext(context, node, chainId, group, { end, size });
    if (!('last' in read)) size = read.size;
    else if (!(await storeRange(context, chainId, group, read))) break;
    else if (read.last.number - group.scannedBlock === size) size = larger(size, maxRange);
  }
  return size;
}

/** Reads what comes next of a group, not beyond where another one stands; when that is too much, answers a smaller size. */
async function readNext(
  context: Context,
  node: ChainNode,
  chainId: number,
  { scannedBlock, nextScanned, collections }: ScanGroup,
  { end, size }: { readonly end: bigint; readonly size: bigint },
): Promise<RangeRead | { readonly size: bigint }> {
  const from = scannedBlock + 1n;
  const most = nextScanned !== undefined && nextScanned < end ? nextScanned : end;
  const to = from + size - 1n < most ? from + size - 1n : most;
  const [before] = await knownBlocks(context, chainId, { upTo: scannedBlock, limit: 1 });
  const contracts = collections.map(({ address }) => address);
  try {
    return await readRange(node, contracts, { from, to }, before);
  } catch (error) {
    if (!(error instanceof NodeFault && error.mayBeTooMuch) || from === to) throw error;
    return { size: (to - from + 1n) / 2n };
  }
}

/** The next size after one that the node bore. */
function larger(size: bigint, most: bigint): bigint {
  const next = size + size / 4n + 1n;
  return next < most ? next : most;
}
