import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { chosenNames } from '../../../shared/kernel/chosen-names.js';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { textErrors } from '../accounts/account.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { createKey } from '../api-keys/create-key.js';
import { developerKeys } from '../api-keys/key-kind.js';
import { scopes as knownScopes } from './developer-key.js';
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
  desk: MailDesk,
  input: DeveloperKeyInput,
): Promise<CreatedDeveloperKey> {
  const { chosen: scopes, errors } = chosenNames('scopes', knownScopes, input.scopes);
  refuse('BAD_REQUEST', [...textErrors('name', input.name), ...errors]);
  return createKey(context, { kind: developerKeys, desk, audited: { scopes } }, (tx, accountId) => {
    return mintDeveloperKey(tx, null, { accountId, name: identifyingText(input.name), scopes });
  });
}
