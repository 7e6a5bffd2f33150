import type { Context } from '../../../shared/kernel/context.js';
import { checkCollections } from './check-collections.js';
import type { Block, ChainNode } from './node.js';
import { Reorganised } from './read-range.js';
import { maxRange, readUpTo } from './read-up-to.js';
import {
  findChain,
  keepBlock,
  nearestBehind,
  saveChain,
  rangesAround,
  replaceRanges,
  knownBlocks,
} from './scan.store.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import {
  deleteEventsBeyond,
  forgetCollections,
  lockBeyond,
  setBack,
  lastEvents,
  markAnnounced,
  takeUnannounced,
} from './collection.store.js';
import { moveTokens, undoing, type TokenRange } from './token-ranges.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { untilFew } from '../../../shared/kernel/turns.js';

export interface ChainSettings {
  readonly id: number;
  /** Number of blocks after which a block counts as final, if the node does not report final blocks. */
  readonly confirmations: number;
}

const maxForks = 5;

/** Progress is stored per range; concurrent runs do no harm. @param stopping ends it after the range under way @throws when the node fails, is of another chain, or contradicts a final block */
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

/** Rolls back token ownership, too. A movement that contradicts earlier ones does not say which owner it replaced: such a collection with later events is read again from its beginning. */
function rollBack(context: Context, chainId: number, block: bigint): Promise<void> {
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

const atOnce = 50;

/** Returns undefined if nothing has to be rolled back. A node that is merely behind contradicts nothing. @throws when the node contradicts a block that was final */
async function findFork(context: Context, node: ChainNode, chainId: number): Promise<bigint | undefined> {
  const finalBlock = (await findChain(context, chainId))?.finalBlock ?? -1n;
  let forked = false;
  let known = await knownBlocks(context, chainId, { limit: atOnce });
  while (known.length > 0) {
    for (const { number, hash } of known) {
      const there = await node.block(number);
      if (there === undefined) continue;
      if (there.hash === hash) return forked ? number : undefined;
      if (number <= finalBlock)
        throw new Error(`The node contradicts block ${number} of chain ${chainId}, which was already final`);
      forked = true;
    }
    const oldest = known.at(-1);
    if (oldest === undefined) break;
    known = await knownBlocks(context, chainId, { upTo: oldest.number - 1n, limit: atOnce });
  }
  // Every known block comes after the final block, and none is left on the chain.
  return forked ? finalBlock : undefined;
}

const perTransaction = 50;
/** Announcements are repeated after this time, for a consumer that did not know the series the first time. */
const againMs = 24 * 3_600_000;

/** Includes its last events. A consumer that misses an announcement or receives two in the wrong order is correct again with the newest one. */
export async function announceCollections(context: Context, chainId: number, at: bigint): Promise<void> {
  const before = new Date(context.clock.now().getTime() - againMs);
  await untilFew(perTransaction, () =>
    inTransaction(context, async (tx) => {
      const taken = await takeUnannounced(tx, chainId, { at, before, limit: perTransaction });
      const ids = taken.map(({ id }) => id);
      const events = await lastEvents(tx, ids);
      await announceAll(
        tx,
        taken.map(({ id, trancheTicker, revision, ...contract }) => ({
          topic: 'tranche.chain_updated',
          key: trancheTicker,
          payload: { trancheTicker, revision, contract, ...events.get(id) },
        })),
      );
      await markAnnounced(tx, ids);
      return taken.length;
    }),
  );
}
