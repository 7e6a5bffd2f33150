import type { Config } from '../../../shared/kernel/config.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { createCursorCodec } from '../../../shared/graphql/cursor.js';
import {
  CollectionListResolver,
  CollectionResolver,
  TrancheCollectionResolver,
  DeveloperContractResolver,
} from './collection.resolver.js';
import { contractDifferences } from './metrics.js';
import { once } from '../../../shared/memo.js';
import type { Job } from '../../../shared/work/scheduler.js';
import { openNode } from './node.js';
import { scanChain, type ChainSettings } from './scan-chain.js';

/** Wires token contracts into the domain. Without the URL of a node nothing new is read, and stored data is still served. */
export function createChain(chain: Config['chain'], keyRing: KeyRing) {
  const contractCursors = createCursorCodec(keyRing, 'contracts');
  return {
    resolvers: [
      new TrancheCollectionResolver(),
      new CollectionResolver(createCursorCodec(keyRing, 'token-holders'), chain),
      new CollectionListResolver(contractCursors),
      new DeveloperContractResolver(contractCursors, chain),
    ],
    jobs: chain?.rpcUrl === undefined ? [] : [chainJob(chain.rpcUrl, chain)],
    metrics: [contractDifferences],
  };
}

/** Reads the chain every 15 seconds, and when an instance starts. The first run loads the library that calls the node. */
function chainJob(rpcUrl: string, settings: ChainSettings): Job {
  const node = once(() => openNode(rpcUrl));
  return {
    name: 'tokenization.chain',
    cron: '*/15 * * * * *',
    atStart: true,
    run: async (context, stopping) => {
      await scanChain(context, await node(), settings, stopping);
    },
  };
}
