import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Fault, refuse } from '../../../shared/errors.js';
import { textFaults } from '../accounts/account.js';
import { lockAccount } from '../accounts/account.store.js';
import { maxDeveloperKeys, readScopes } from './developer-key.js';
import { countWorkingKeys } from './developer-key.store.js';
import { mintDeveloperKey, type CreatedDeveloperKey } from './mint-developer-key.js';

export interface DeveloperKeyInput {
  readonly name: string;
  readonly scopes: readonly string[];
}

/**
 * Creates a key for the account that is calling.
 * @throws {Fault} BAD_REQUEST for a name that is none and for scopes that nobody can give themselves, FORBIDDEN before the
 *   e-mail is confirmed, CONFLICT when the account has twenty working keys.
 */
export async function createDeveloperKey(
  context: Context,
  rateLimit: number,
  input: DeveloperKeyInput,
): Promise<CreatedDeveloperKey> {
  const { scopes, faults } = readScopes(input.scopes);
  refuse('BAD_REQUEST', [...textFaults('name', input.name), ...faults]);
  return inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, tx.principal.ownerId);
    if (account === null) throw new Fault('UNAUTHORIZED');
    if (account.confirmedAt === null) {
      throw new Fault('FORBIDDEN', { message: 'Confirm the e-mail of the account before creating a key' });
    }
    if ((await countWorkingKeys(tx, account.id)) >= maxDeveloperKeys) {
      throw new Fault('CONFLICT', {
        message: `The account has ${maxDeveloperKeys} developer's keys already: revoke one first`,
      });
    }
    return mintDeveloperKey(tx, rateLimit, { accountId: account.id, name: input.name.trim(), scopes });
  });
}
