import { sha256 } from '../../../shared/crypto.js';
import type { Consumer } from '../../../shared/outbox/outbox.js';
import { chainNewsForm, newest } from './chain-news.js';
import { confirmRevisions, markOperations, replaceChainEvents, upsertFromChain } from './chain-news.store.js';

/**
 * Publishes what a chain says of the contracts of our series: the contract, and its last events in the place of those that we
 * had from the same blocks. An announcement that is older than what stands, or says the same, or is of a series that is not
 * ours, changes nothing: so they may come twice and in any order.
 */
export const takeChainNews: Consumer = async (tx, events) => {
  const told = events.filter(({ topic }) => topic === 'tranche.chain_updated');
  const news = newest(
    told.flatMap(({ id, payload }) => {
      const parsed = chainNewsForm.safeParse(payload);
      if (parsed.success) return [parsed.data];
      tx.log.error({ event: id, faults: parsed.error.issues }, 'What a chain says was not understood');
      return [];
    }),
  );
  if (news.length === 0) return;
  const contracts = news.map((one) => ({ ...one, digest: sha256(JSON.stringify([one.contract, one.events])) }));
  await confirmRevisions(tx, contracts);
  const changed = await upsertFromChain(tx, contracts);
  if (changed.length === 0) return;
  await replaceChainEvents(tx, changed);
  await markOperations(tx, [...new Set(changed.map(({ operationId }) => operationId))]);
};
