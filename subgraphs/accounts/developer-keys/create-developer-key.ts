import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { chosenNames } from '../../../shared/kernel/chosen-names.js';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { textErrors } from '../accounts/account.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { createKey, freshKey } from '../api-keys/api-keys.acts.js';
import { developerKeys } from '../api-keys/key-kind.js';
import { scopes as knownScopes, type DeveloperScope } from './developer-key.js';
import { keyHash, mintKey } from '../api-keys/key-form.js';
import { addKey, type ListedKey, type Unused } from './developer-key.store.js';

/** Tells the owner by mail. @throws {ApiError} BAD_REQUEST for an invalid name or scope, FORBIDDEN before the e-mail is confirmed, CONFLICT when the account has twenty working keys */
export async function createDeveloperKey(
  context: Context,
  desk: MailDesk,
  input: { readonly name: string; readonly scopes: readonly string[] },
): Promise<CreatedDeveloperKey> {
  const { chosen: scopes, errors } = chosenNames('scopes', knownScopes, input.scopes);
  refuse('BAD_REQUEST', [...textErrors('name', input.name), ...errors]);
  return createKey(context, { kind: developerKeys, desk, audited: { scopes } }, (tx, accountId) => {
    return mintDeveloperKey(tx, null, { accountId, name: identifyingText(input.name), scopes });
  });
}

export type CreatedDeveloperKey = Omit<ListedKey, keyof Unused> & {
  /** The whole key, shown only this once. */
  readonly key: string;
};

/** Stores its SHA-256. The caller has checked whether the key is allowed. @param rateLimit requests per minute; null to use the configuration */
export async function mintDeveloperKey(
  context: Context,
  rateLimit: number | null,
  { accountId, name, scopes }: { accountId: string; name: string; scopes: readonly DeveloperScope[] },
  minted = mintKey('svc_dev_'),
): Promise<CreatedDeveloperKey> {
  const key = freshKey(context, minted, { name, scopes, rateLimit });
  await addKey(context, { ...key, accountId, secretHash: keyHash(minted) });
  return { ...key, key: minted.text };
}
