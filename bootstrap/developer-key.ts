import { actAs, type ActInput } from '../shared/audit/record.js';
import type { Context } from '../shared/context.js';
import { addDeveloperKey } from '../subgraphs/accounts/developer-keys/add-developer-key.js';

/** Options of the command that creates a developer's key. */
export interface DeveloperKeyInput {
  readonly email: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/**
 * Creates a developer's key for the account with the given e-mail, as an operator who may administer, and returns the full key.
 * @throws {ApiError}
 */
export async function grantDeveloperKey(context: Context, key: DeveloperKeyInput): Promise<string> {
  const input: ActInput = { action: 'addDeveloperKey', after: key };
  return actAs(context, 'administer', input, async (tx) => (await addDeveloperKey(tx, key)).key);
}
