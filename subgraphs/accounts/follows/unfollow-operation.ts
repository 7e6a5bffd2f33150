import type { Context } from '../../../shared/context.js';
import { canonicalTicker } from './follow.js';
import { removeFollow } from './follow.store.js';

/** Takes an operation off the watchlist of the account that is calling. One that is not on it is no error. */
export async function unfollowOperation(context: Context, ticker: string): Promise<void> {
  const canonical = canonicalTicker(ticker);
  if (canonical !== undefined) await removeFollow(context, context.principal.ownerId, canonical);
}
