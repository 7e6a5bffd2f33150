import type { Context } from '../../../shared/context.js';
import { removeFollowsOf } from '../follows/follow.store.js';
import { removeTokensOf } from '../tokens/one-time-token.store.js';
import { removeAccounts } from './account.store.js';

/**
 * Deletes registrations that will not be confirmed, with their links and watchlists; they have no keys. Their rows must be
 * locked, so that nothing is added to them meanwhile.
 */
export async function discardAccounts(context: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await removeTokensOf(context, ids);
  await removeFollowsOf(context, ids);
  await removeAccounts(context, ids);
}
