import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { textErrors } from '../accounts/account.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import type { ApiKeyRow } from './api-key.entity.js';
import { addKey } from './api-key.store.js';
import { createKey, freshKey } from './create-key.js';
import { keyHash, mintKey } from './key-form.js';
import { apiKeys } from './key-kind.js';

export type CreatedKey = Pick<ApiKeyRow, 'id' | 'prefix' | 'name' | 'rateLimit' | 'createdAt' | 'expiresAt'> & {
  /** The whole key, shown only this once. */
  readonly key: string;
};

/** Tells the owner by mail. @throws {ApiError} BAD_REQUEST for an invalid name, FORBIDDEN before the e-mail is confirmed, CONFLICT for a sixth working key */
export async function createApiKey(context: Context, desk: MailDesk, name: string): Promise<CreatedKey> {
  refuse('BAD_REQUEST', textErrors('name', name));
  return createKey(context, { kind: apiKeys, desk }, (tx, accountId) => {
    return mintApiKey(tx, null, { accountId, name: identifyingText(name) });
  });
}

/** Stores its SHA-256. The caller has checked whether the key is allowed. @param rateLimit requests per minute; null to use the configuration */
export async function mintApiKey(
  context: Context,
  rateLimit: number | null,
  { accountId, name }: { readonly accountId: string; readonly name: string },
  minted = mintKey('svcpub_'),
): Promise<CreatedKey> {
  const key = freshKey(context, minted, { name, rateLimit });
  await addKey(context, { ...key, accountId, secretHash: keyHash(minted) });
  return { ...key, key: minted.text };
}
