import type { Context } from '../../../shared/context.js';
import { revokeAll } from './api-key.store.js';

/** Revokes every working key of an account, of both kinds, and returns their prefixes. Its row must be locked, so that none is added. */
export async function revokeAllKeys(context: Context, accountId: string): Promise<string[]> {
  const apiKeys = await revokeAll(context, 'api_keys', accountId);
  return [...apiKeys, ...(await revokeAll(context, 'developer_keys', accountId))];
}
