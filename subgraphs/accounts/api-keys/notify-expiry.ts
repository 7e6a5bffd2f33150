import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { lockAccount } from '../accounts/account.store.js';
import { notifyOwner, type MailDesk } from '../accounts/mail-desk.js';
import { languageOf, listExpiringKeys, listExpiringOwners, markNotified } from './expiring-keys.store.js';
import { keysExpireMail } from './expiring-keys.mails.js';

const batch = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Mails the owners of keys that expire within 30, 10 and 1 days: one mail for all keys that are due, and each key once for each of the periods. A period
 * that passed while nothing ran is skipped. What the limit of notices holds back is mailed by a later run.
 */
export async function notifyExpiry(context: Context, desk: MailDesk, stopping?: AbortSignal): Promise<void> {
  let after = firstId;
  for (;;) {
    const owners = await listExpiringOwners(context, after, batch);
    for (const accountId of owners) {
      if (stopping?.aborted === true) return;
      await notifyExpiryOf(context, desk, accountId);
    }
    const last = owners.at(-1);
    if (last === undefined || owners.length < batch) return;
    after = last;
  }
}

/** The account is locked first, so that two processes do not both find a key that is not marked yet. */
async function notifyExpiryOf(context: Context, desk: MailDesk, accountId: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (account?.disabledAt !== null) return;
    const keys = await listExpiringKeys(tx, accountId);
    if (keys.length === 0) return;
    const mail = keysExpireMail(
      { email: account.email, name: account.name, language: await languageOf(tx, accountId) },
      keys,
    );
    if (!(await notifyOwner(tx, desk, account, 'ACCESS', mail))) return;
    await markNotified(tx, keys);
  });
}
