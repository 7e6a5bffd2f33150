import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { textErrors } from '../accounts/account.js';
import { notifyOwner, type MailDesk } from '../accounts/mail-desk.js';
import { newKeyMail } from '../accounts/notices.mails.js';
import { lockCaller } from '../sessions/lock-caller.js';
import { keyLifetimeMs, maxActiveKeys } from './api-key.js';
import type { ApiKeyRow } from './api-key.entity.js';
import { addKey, countWorkingKeys } from './api-key.store.js';
import { keyHash, mintKey } from './key-form.js';

export type CreatedKey = Pick<ApiKeyRow, 'id' | 'prefix' | 'name' | 'expiresAt'> & {
  /** Requests per minute. */
  readonly rateLimit: number;
  /** The whole key, shown only this once. */
  readonly key: string;
};

export interface CreateKeyParts {
  /** Requests per minute of keys without their own limit. */
  readonly rateLimit: number;
  readonly desk: MailDesk;
}

/**
 * Creates an API key for the calling account, and notifies its owner by mail.
 * @throws {ApiError} BAD_REQUEST for an invalid name, FORBIDDEN before the e-mail is confirmed, CONFLICT for a sixth key
 *   that is ACTIVE and not expired.
 */
export async function createApiKey(
  context: Context,
  { rateLimit, desk }: CreateKeyParts,
  name: string,
): Promise<CreatedKey> {
  refuse('BAD_REQUEST', textErrors('name', name));
  return inTransaction(context, async (tx) => {
    const account = await lockCaller(tx);
    if (account.confirmedAt === null) {
      throw new ApiError('FORBIDDEN', { message: 'Confirm the e-mail of the account before creating a key' });
    }
    if ((await countWorkingKeys(tx, account.id)) >= maxActiveKeys) {
      throw new ApiError('CONFLICT', {
        message: `The account already has ${maxActiveKeys} active keys: revoke one of them first`,
      });
    }
    const minted = mintKey('svcpub_');
    const createdAt = tx.clock.now();
    const key = {
      id: newId(createdAt.getTime()),
      accountId: account.id,
      prefix: minted.prefix,
      secretHash: keyHash(minted),
      name: name.trim(),
      rateLimit: null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + keyLifetimeMs),
    };
    await addKey(tx, key);
    await notifyOwner(tx, desk, account, 'ACCESS', newKeyMail(account, key));
    const { id, prefix, expiresAt } = key;
    await recordAudit(tx, { action: 'createApiKey', subject: { type: 'apiKey', id }, after: { prefix, expiresAt } });
    return { ...key, rateLimit, key: minted.text };
  });
}
