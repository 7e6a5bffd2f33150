import { sha256 } from '../../../shared/security/crypto.js';
import { type Consumer, payloadsOf } from '../../../shared/events/outbox/outbox.js';
import { chainNewsForm, newest } from './chain-news.js';
import { confirmRevisions, markOperations, replaceChainEvents, upsertFromChain } from './onchain.store.js';

/** Stores the contract, and replaces the events of the same blocks by its last events. Ignores announcements that are not newer, or of an unknown series: they may come twice and in any order. */
export const takeChainNews: Consumer = async (tx, events) => {
  const update = { topic: 'tranche.chain_updated', form: chainNewsForm, subject: 'a contract on a chain' };
  const news = newest(await payloadsOf(tx, events, update));
  if (news.length === 0) return;
  const contracts = news.map((one) => ({ ...one, digest: sha256(JSON.stringify([one.contract, one.events])) }));
  await confirmRevisions(tx, contracts);
  const changed = await upsertFromChain(tx, contracts);
  if (changed.length === 0) return;
  await replaceChainEvents(tx, changed);
  await markOperations(tx, [...new Set(changed.map(({ operationId }) => operationId))]);
};
