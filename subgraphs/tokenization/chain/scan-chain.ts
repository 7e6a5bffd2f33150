import type { Context } from '../../../shared/context.js';
import { announceCollections } from './announce-collections.js';
import { checkCollections } from './check-collections.js';
import { findFork } from './find-fork.js';
import type { Block, ChainNode } from './node.js';
import { Reorganised } from './read-range.js';
import { maxRange, readUpTo } from './read-up-to.js';
import { rollBack } from './roll-back.js';
import { findChain, keepBlock, nearestBehind, saveChain } from './scan.store.js';

/** The chain that the collections are on. */
export interface ChainSettings {
  readonly id: number;
  /** Number of blocks after which a block counts as final, if the node does not report final blocks. */
  readonly confirmations: number;
}

const maxForks = 5;

/**
 * Reads the events of the collections of a chain since the last run, checks and announces them. Progress is stored per
 * range, so the next run continues after any interruption. Concurrent runs do no harm.
 * @param stopping aborted when it has to end after the range under way
 * @throws {NodeFault} when the node does not respond
 * @throws {Error} when the node belongs to another chain, or contradicts a final block
 */
export async function scanChain(
  context: Context,
  node: ChainNode,
  settings: ChainSettings,
  stopping?: AbortSignal,
): Promise<void> {
  if ((await nearestBehind(context, settings.id, endOfTime)) === undefined) return;
  const chainId = await node.chainId();
  if (chainId !== settings.id) throw new Error(`The node serves chain ${chainId}, but CHAIN_ID is ${settings.id}`);
  for (let forks = 0; ; forks++) {
    try {
      await scanOnce(context, node, settings, stopping);
      return;
    } catch (error) {
      if (!(error instanceof Reorganised) || forks === maxForks) throw error;
      context.log.info({ chainId, reason: error.message }, 'The chain changed during the read');
    }
  }
}

/** Greater than any block number. */
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
  if (final !== undefined && !(await keepBlock(context, id, final)))
    throw new Reorganised(`Block ${final.number} was replaced`);
  await saveChain(context, id, { head: head.number, finalBlock: final?.number ?? -1n, rangeBlocks });
}

/** Returns the newest block with enough confirmations, if there is one. */
function confirmed(node: ChainNode, number: bigint): Promise<Block | undefined> {
  return number < 0n ? Promise.resolve(undefined) : node.block(number);
}
