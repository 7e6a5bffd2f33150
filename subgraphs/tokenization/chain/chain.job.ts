import { lazily } from '../../../shared/lazily.js';
import type { Job } from '../../../shared/scheduler.js';
import { openNode } from './node.js';
import { scanChain, type ChainSettings } from './scan-chain.js';

/** Reads the chain every 15 seconds, and when an instance starts. The first run loads the library that calls the node. */
export function chainJob(rpcUrl: string, settings: ChainSettings): Job {
  const node = lazily(() => openNode(rpcUrl));
  return {
    name: 'tokenization.chain',
    cron: '*/15 * * * * *',
    atStart: true,
    run: async (context, stopping) => {
      await scanChain(context, await node(), settings, stopping);
    },
  };
}
