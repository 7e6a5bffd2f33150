import { sha256 } from '../../../shared/crypto.js';
import type { Consumer } from '../../../shared/outbox/outbox.js';
import { chainNewsForm, newest } from './chain-news.js';
import { confirmRevisions, markOperations, replaceChainEvents, upsertFromChain } from './chain-news.store.js';

/**
 * Publishes chain data of the contracts of known series: the contract, and its last events in place of the stored ones of the
 * same blocks. Ignores announcements that are older than the stored state, equal to it, or of an unknown series, so that they
 * may arrive twice and in any order.
 */
export const takeChainNews: Consumer = async (tx, events) => {
  const updates = events.filter(({ topic }) => topic === 'tranche.chain_updated');
  const news = newest(
    updates.flatMap(({ id, payload }) => {
      const parsed = chainNewsForm.safeParse(payload);
      if (parsed.success) return [parsed.data];
      tx.log.error(
        { event: id, errors: parsed.error.issues },
        'An event about a contract on a chain does not have the expected form',
      );
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
