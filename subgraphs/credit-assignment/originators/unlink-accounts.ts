import { z } from 'zod';
import type { Consumer } from '../../../shared/outbox/outbox.js';
import { readPayloads } from '../../../shared/outbox/read-payloads.js';
import { unlinkOriginators } from './originator.store.js';

/** The event of accounts about a deleted account. */
const deletedForm = z.object({ accountId: z.uuid() });

/** Unlinks originators from deleted accounts, in the relay's transaction; their batches stay. */
export const unlinkAccounts: Consumer = async (tx, events) => {
  const deleted = await readPayloads(tx, events, 'account.deleted', deletedForm, 'a deleted account');
  const ids = deleted.map(({ accountId }) => accountId);
  if (ids.length > 0) await unlinkOriginators(tx, ids);
};
