import type { Context } from '../../../shared/context.js';
import { FollowRow } from './follow.entity.js';

/** The tickers that an account follows, the latest first. */
export async function listFollows(context: Context, accountId: string): Promise<string[]> {
  const rows = await context.manager.find(FollowRow, {
    where: { accountId },
    order: { createdAt: 'DESC', ticker: 'ASC' },
  });
  return rows.map((row) => row.ticker);
}

/** Which of some tickers the caller's account follows, in the order of the tickers: a batch for `loaderOf`. */
export async function followedByCaller(context: Context, tickers: readonly string[]): Promise<boolean[]> {
  const accountId = context.principal.ownerId;
  const rows = await context.manager.query<Pick<FollowRow, 'ticker'>[]>(
    'SELECT ticker FROM accounts.follows WHERE account_id = $1 AND ticker = ANY ($2)',
    [accountId, tickers],
  );
  const followed = new Set(rows.map((row) => row.ticker));
  return tickers.map((ticker) => followed.has(ticker));
}

export function countFollows(context: Context, accountId: string): Promise<number> {
  return context.manager.countBy(FollowRow, { accountId });
}

export function isFollowed(context: Context, accountId: string, ticker: string): Promise<boolean> {
  return context.manager.existsBy(FollowRow, { accountId, ticker });
}

export async function addFollow(context: Context, accountId: string, ticker: string): Promise<void> {
  await context.manager.insert(FollowRow, { accountId, ticker, createdAt: context.clock.now() });
}

export async function removeFollow(context: Context, accountId: string, ticker: string): Promise<void> {
  await context.manager.delete(FollowRow, { accountId, ticker });
}

/** Empties the watchlists of some accounts. */
export async function removeFollowsOf(context: Context, accountIds: readonly string[]): Promise<void> {
  await context.manager.query('DELETE FROM accounts.follows WHERE account_id = ANY ($1)', [accountIds]);
}
