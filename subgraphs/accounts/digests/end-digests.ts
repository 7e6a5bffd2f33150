import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { lockAccount } from '../accounts/account.store.js';
import { findMailSettings, storeMailSettings } from '../mail-settings/mail-settings.store.js';
import type { EndTokens } from './end-token.js';

/**
 * Ends the digests of the account of a token. An account that was deleted gets none either, which the response does not tell apart.
 * @throws {ApiError} UNPROCESSABLE for a token that is not valid
 */
export async function endDigests(context: Context, tokens: EndTokens, token: string): Promise<true> {
  const accountId = tokens.accountOf(token);
  if (accountId === undefined)
    throw new ApiError('UNPROCESSABLE', {
      message: 'The link is not valid any more: choose in your account how often digests come',
    });
  await inTransaction(context, async (tx) => {
    if ((await lockAccount(tx, accountId)) === null) return;
    const settings = await findMailSettings(tx, accountId);
    if (settings !== undefined) await storeMailSettings(tx, accountId, { ...settings, digest: 'NONE' });
  });
  return true;
}
