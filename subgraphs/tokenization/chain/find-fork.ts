import type { Context } from '../../../shared/context.js';
import type { ChainNode } from './node.js';
import { findChain, knownBlocks } from './scan.store.js';

const atOnce = 50;

/**
 * Returns the last block we know that still belongs to the chain if later ones do not; undefined if nothing has to be
 * rolled back. A node that is merely behind contradicts nothing.
 * @throws when the node contradicts a block that was final
 */
export async function findFork(context: Context, node: ChainNode, chainId: number): Promise<bigint | undefined> {
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
