import { z } from 'zod';
import type { Consumer } from '../../../shared/outbox/outbox.js';
import { unlinkOriginators } from './originator.store.js';

/** The event of accounts about a deleted account. */
const deletedForm = z.object({ accountId: z.uuid() });

/** Unlinks originators from deleted accounts, in the relay's transaction; their batches stay. */
export const unlinkAccounts: Consumer = async (tx, events) => {
  const gone: string[] = [];
  for (const { id, topic, payload } of events) {
    if (topic !== 'account.deleted') continue;
    const { data, error } = deletedForm.safeParse(payload);
    if (data !== undefined) gone.push(data.accountId);
    else tx.log.error({ event: id, err: error }, 'An event about a deleted account does not have the expected form');
  }
  if (gone.length > 0) await unlinkOriginators(tx, gone);
};
