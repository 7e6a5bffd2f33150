import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { consumeToken } from '../tokens/one-time-token.store.js';
import type { AccountRow } from './account.entity.js';
import { confirm } from './account.store.js';
import { uselessLink } from './reset-password.js';

/**
 * Confirms the e-mail of the account that a link was mailed to, and uses up its other confirmation links.
 * @throws {Fault} UNPROCESSABLE for a link that is unknown, used or expired.
 */
export async function verifyEmail(context: Context, token: string): Promise<AccountRow> {
  return inTransaction(context, async (tx) => {
    const accountId = await consumeToken(tx, token, 'CONFIRM');
    if (accountId === undefined) throw uselessLink();
    return confirm(tx, accountId);
  });
}
