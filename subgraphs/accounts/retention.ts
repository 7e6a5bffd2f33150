import type { Context } from '../../shared/kernel/context.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { lockForgotten, removeAccounts } from './accounts/account.store.js';
import { deleteRequests } from './request-log/request-log.store.js';
import { forgetNetworks, forgetSessions, removeSessionsOf } from './sessions/session.store.js';
import { removeFollowsOf } from './follows/follow.store.js';
import { removeFactorsOf } from './second-factors/factor.store.js';
import { removeTokensOf } from './tokens/one-time-token.store.js';

const batch = 1_000;

export async function forgetRegistrations(context: Context, before: Date): Promise<void> {
  for (;;) {
    const forgotten = await inTransaction(context, async (tx) => {
      const ids = await lockForgotten(tx, before, batch);
      await discardAccounts(tx, ids);
      return ids.length;
    });
    if (forgotten < batch) return;
  }
}

const dayMs = 86_400_000;

/** Deletes the requests that are older than so many days. */
export async function forgetRequests(context: Context, days: number): Promise<void> {
  await deleteRequests(context, new Date(context.clock.now().getTime() - days * dayMs));
}

/** How long an ended or expired session is kept, for questions about it. */
const endedKeptMs = 7 * dayMs;
/** How long a network is kept after the last session from it was opened. */
const networksKeptMs = 180 * dayMs;
const sessionBatch = 5_000;

export async function forgetEndedSessions(context: Context): Promise<void> {
  const now = context.clock.now().getTime();
  while ((await forgetSessions(context, new Date(now - endedKeptMs), sessionBatch)) === sessionBatch);
  await forgetNetworks(context, new Date(now - networksKeptMs));
}

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
