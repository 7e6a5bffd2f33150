import type { Job } from '../../../shared/scheduler.js';
import { openNode, type ChainNode } from './node.js';
import { scanChain, type ChainSettings } from './scan-chain.js';

/** Reads the chain every 15 seconds, and when an instance starts. The library that asks the node is loaded by the first run. */
export function chainJob(rpcUrl: string, settings: ChainSettings): Job {
  let node: Promise<ChainNode> | undefined;
  return {
    name: 'tokenization.chain',
    cron: '*/15 * * * * *',
    atStart: true,
    run: async (context, stopping) => {
      node ??= openNode(rpcUrl);
      await scanChain(context, await node, settings, stopping);
    },
  };
}
