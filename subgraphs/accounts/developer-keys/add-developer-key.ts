import { identifyingText } from '../../../shared/identifying-text.js';
import { chosenNames } from '../../../shared/chosen-names.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { textErrors } from '../accounts/account.js';
import type { DeveloperKeyInput } from './create-developer-key.js';
import { scopes as knownScopes } from './developer-key.js';
import { findConfirmed } from './developer-key.store.js';
import { mintDeveloperKey, type CreatedDeveloperKey } from './mint-developer-key.js';

/**
 * Creates a key for the account with an e-mail, for an operator.
 * @throws {ApiError} BAD_REQUEST for an invalid name or scopes, NOT_FOUND if no confirmed account has the e-mail.
 */
export async function addDeveloperKey(
  context: Context,
  { email, ...input }: DeveloperKeyInput & { readonly email: string },
): Promise<CreatedDeveloperKey> {
  const { chosen: scopes, errors } = chosenNames('scopes', knownScopes, input.scopes);
  refuse('BAD_REQUEST', [...textErrors('name', input.name), ...errors]);
  return inTransaction(context, async (tx) => {
    const accountId = await findConfirmed(tx, email);
    if (accountId === undefined)
      throw new ApiError('NOT_FOUND', { message: `No confirmed account has the e-mail ${email}` });
    return mintDeveloperKey(tx, null, { accountId, name: identifyingText(input.name), scopes });
  });
}
