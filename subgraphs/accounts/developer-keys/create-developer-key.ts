import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { textErrors } from '../accounts/account.js';
import { notifyOwner } from '../accounts/mail-desk.js';
import { newKeyMail } from '../accounts/notices.mails.js';
import type { CreateKeyParts } from '../api-keys/create-api-key.js';
import { lockCaller } from '../sessions/lock-caller.js';
import { maxDeveloperKeys, readScopes } from './developer-key.js';
import { countWorkingKeys } from './developer-key.store.js';
import { mintDeveloperKey, type CreatedDeveloperKey } from './mint-developer-key.js';

export interface DeveloperKeyInput {
  readonly name: string;
  readonly scopes: readonly string[];
}

/**
 * Creates a key for the calling account, and notifies its owner by mail.
 * @throws {ApiError} BAD_REQUEST for an invalid name and for scopes that callers cannot grant themselves, FORBIDDEN before
 *   the e-mail is confirmed, CONFLICT when the account has twenty working keys.
 */
export async function createDeveloperKey(
  context: Context,
  { desk }: Pick<CreateKeyParts, 'desk'>,
  input: DeveloperKeyInput,
): Promise<CreatedDeveloperKey> {
  const { scopes, errors } = readScopes(input.scopes);
  refuse('BAD_REQUEST', [...textErrors('name', input.name), ...errors]);
  return inTransaction(context, async (tx) => {
    const account = await lockCaller(tx);
    if (account.confirmedAt === null) {
      throw new ApiError('FORBIDDEN', { message: 'Confirm the e-mail of the account before creating a key' });
    }
    if ((await countWorkingKeys(tx, account.id)) >= maxDeveloperKeys) {
      throw new ApiError('CONFLICT', {
        message: `The account already has ${maxDeveloperKeys} developer keys: revoke one of them first`,
      });
    }
    const key = await mintDeveloperKey(tx, null, { accountId: account.id, name: input.name.trim(), scopes });
    await notifyOwner(tx, desk, account, 'ACCESS', newKeyMail(account, key));
    const { id, prefix, expiresAt } = key;
    const subject = { type: 'developerKey', id };
    await recordAudit(tx, { action: 'createDeveloperKey', subject, after: { prefix, expiresAt, scopes } });
    return key;
  });
}
