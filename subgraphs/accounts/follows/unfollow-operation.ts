import type { Context } from '../../../shared/context.js';
import { canonicalTicker } from './follow.js';
import { removeFollow } from './follow.store.js';

/** Removes an operation from the watchlist of the calling account. A missing one is no error. */
export async function unfollowOperation(context: Context, ticker: string): Promise<void> {
  const canonical = canonicalTicker(ticker);
  if (canonical !== undefined) await removeFollow(context, context.principal.ownerId, canonical);
}
