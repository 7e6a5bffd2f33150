import type { Context } from '../../../shared/kernel/context.js';
import { removeFollowsOf } from '../follows/follow.store.js';
import { removeFactorsOf } from '../second-factors/factor.store.js';
import { removeSessionsOf } from '../sessions/session.store.js';
import { removeTokensOf } from '../tokens/one-time-token.store.js';
import { removeAccounts } from './account.store.js';

/** Deletes their links, sessions, second factors and watchlists, too; they have no keys. Their rows must be locked, so that nothing is added. Returns the ids of the sessions. */
export async function discardAccounts(context: Context, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  await removeTokensOf(context, ids);
  await removeFollowsOf(context, ids);
  await removeFactorsOf(context, ids);
  const sessions = await removeSessionsOf(context, ids);
  await removeAccounts(context, ids);
  return sessions;
}
