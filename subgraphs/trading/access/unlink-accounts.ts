import { z } from 'zod';
import type { Consumer } from '../../../shared/outbox/outbox.js';
import { unlinkCompanies } from './company.store.js';

/** The event of accounts about a deleted account. */
const deletedForm = z.object({ accountId: z.uuid() });

/** Unlinks companies from deleted accounts, in the relay's transaction; their trades stay. */
export const unlinkTradingAccounts: Consumer = async (tx, events) => {
  const gone: string[] = [];
  for (const { id, topic, payload } of events) {
    if (topic !== 'account.deleted') continue;
    const { data, error } = deletedForm.safeParse(payload);
    if (data !== undefined) gone.push(data.accountId);
    else tx.log.error({ event: id, err: error }, 'An event about a deleted account does not have the expected form');
  }
  if (gone.length > 0) await unlinkCompanies(tx, gone);
};
