import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { consumeToken, emailOfToken } from '../tokens/one-time-token.store.js';
import type { AccountRow } from './account.entity.js';
import { confirm, lockWaiting, takeTurn } from './account.store.js';
import { discardAccounts } from './discard-accounts.js';
import { uselessLink } from './useless-link.js';

/**
 * Confirms the registration that a link was mailed for, with the name, company and password given in it, and discards every
 * other registration of the e-mail, with its links and sessions.
 * @param forgetSessions Told of the account and of each discarded one once the change has committed, as with a reset.
 * @throws {Fault} UNPROCESSABLE for a link that is unknown, used or expired.
 */
export async function verifyEmail(
  context: Context,
  forgetSessions: (accountId: string) => void,
  token: string,
): Promise<AccountRow> {
  return inTransaction(context, async (tx) => {
    const email = await emailOfToken(tx, token);
    if (email === undefined) throw uselessLink();
    await takeTurn(tx, email);
    const accountId = await consumeToken(tx, token, 'CONFIRM');
    if (accountId === undefined) throw uselessLink();
    const account = await confirm(tx, accountId);
    const others = await lockWaiting(tx, email);
    await discardAccounts(tx, others);
    afterCommit(tx, () => {
      [accountId, ...others].forEach(forgetSessions);
    });
    return account;
  });
}
