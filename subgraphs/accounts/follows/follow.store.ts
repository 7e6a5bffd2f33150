import type { Context } from '../../../shared/kernel/context.js';
import { readTogether, type Reads } from '../../../shared/database/read-together.js';
import { FollowRow } from './follow.entity.js';

/** Returns the tickers that an account follows, latest first. */
export async function listFollows(context: Context, accountId: string): Promise<string[]> {
  const rows = await context.manager.find(FollowRow, {
    where: { accountId },
    order: { createdAt: 'DESC', ticker: 'ASC' },
  });
  return rows.map((row) => row.ticker);
}

/** Whether an account follows an operation; the ticker is in upper case. */
export async function isFollowed(reads: Reads, accountId: string, ticker: string): Promise<boolean> {
  return (await followed(reads, pairOf(accountId, ticker))) !== undefined;
}

const followed = readTogether(async ({ manager }, pairs) => {
  const asked = pairs.map((pair) => pair.split(' '));
  const rows = await manager.rows<Pick<FollowRow, 'accountId' | 'ticker'>>(
    `SELECT account_id AS "accountId", ticker FROM accounts.follows
     JOIN unnest($1::uuid[], $2::text[]) AS asked (account_id, ticker) USING (account_id, ticker)`,
    [asked.map(([accountId]) => accountId), asked.map(([, ticker]) => ticker)],
  );
  return new Map(rows.map((row) => [pairOf(row.accountId, row.ticker), row]));
});

function pairOf(accountId: string, ticker: string): string {
  return `${accountId} ${ticker}`;
}

/** Counts the accounts that follow each of some operations; tickers in upper case. */
export async function followersOf({ manager }: Context, tickers: readonly string[]): Promise<number[]> {
  const rows = await manager.rows<{ ticker: string; count: number }>(
    'SELECT ticker, count(*)::integer AS count FROM accounts.follows WHERE ticker = ANY ($1) GROUP BY ticker',
    [tickers],
  );
  const byTicker = new Map(rows.map(({ ticker, count }) => [ticker, count]));
  return tickers.map((ticker) => byTicker.get(ticker) ?? 0);
}

export function countFollows(context: Context, accountId: string): Promise<number> {
  return context.manager.countBy(FollowRow, { accountId });
}

export async function addFollow(context: Context, accountId: string, ticker: string): Promise<void> {
  await context.manager.insert(FollowRow, { accountId, ticker, createdAt: context.clock.now() });
}

export async function removeFollow(context: Context, accountId: string, ticker: string): Promise<void> {
  await context.manager.delete(FollowRow, { accountId, ticker });
}

export async function removeFollowsOf(context: Context, accountIds: readonly string[]): Promise<void> {
  await context.manager.execute('DELETE FROM accounts.follows WHERE account_id = ANY ($1)', [accountIds]);
}
