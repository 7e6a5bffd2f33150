import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { lockAccount } from '../accounts/account.store.js';
import { notifyOwner, type MailDesk } from '../accounts/mail-desk.js';
import { keysExpireMail } from '../accounts/notices.mails.js';
import { listExpiringKeys, listExpiringOwners, markNotified } from './api-key.store.js';

const batch = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Sends one mail for all due keys, each key once for 30, 10 and 1 days. A period that passed while nothing ran is skipped; what the limit of notices holds back is mailed later. */
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
    if (!(await notifyOwner(tx, desk, account, 'ACCESS', keysExpireMail(account, keys)))) return;
    await markNotified(tx, keys);
  });
}
