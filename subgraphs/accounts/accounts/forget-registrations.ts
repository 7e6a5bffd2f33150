import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { lockForgotten } from './account.store.js';
import { discardAccounts } from './discard-accounts.js';

const batch = 1_000;

/** Deletes unconfirmed registrations whose last message is older than a given time, in batches. */
export async function forgetRegistrations(context: Context, before: Date): Promise<void> {
  for (;;) {
    const forgotten = await inTransaction(context, async (tx) => {
      const ids = await lockForgotten(tx, before, batch);
      await discardAccounts(tx, ids);
      return ids.length;
    });
    if (forgotten < batch) return;
  }
}
