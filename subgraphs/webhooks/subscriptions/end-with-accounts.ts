import { z } from 'zod';
import type { Consumer } from '../../../shared/outbox/outbox.js';
import { removeSubscriptionsOf } from './subscription.store.js';

/** The event of the accounts domain about a deleted account. */
const deletedForm = z.object({ accountId: z.uuid() });

/** Deletes the subscriptions of deleted accounts, in the relay's transaction. */
export const endWithAccounts: Consumer = async (tx, events) => {
  const gone: string[] = [];
  for (const { id, topic, payload } of events) {
    if (topic !== 'account.deleted') continue;
    const { data, error } = deletedForm.safeParse(payload);
    if (data !== undefined) gone.push(data.accountId);
    else tx.log.error({ event: id, err: error }, 'An event about a deleted account does not have the expected form');
  }
  if (gone.length > 0) await removeSubscriptionsOf(tx, gone);
};
