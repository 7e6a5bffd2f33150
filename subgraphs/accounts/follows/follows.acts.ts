import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { lockCaller } from '../sessions/lock-caller.js';
import { addFollow, countFollows, isFollowed, removeFollow } from './follow.store.js';

/** A repetition changes nothing. The operation, of another domain, need not exist. @throws {ApiError} BAD_REQUEST for an invalid ticker, CONFLICT when the list is full */
export async function followOperation(context: Context, ticker: string): Promise<string> {
  const canonical = canonicalTicker(ticker);
  if (canonical === undefined) throw new ApiError('BAD_REQUEST', { details: [errorAt('ticker', 'OPERATION_TICKER')] });
  await inTransaction(context, async (tx) => {
    const account = await lockCaller(tx);
    if (await isFollowed(tx, account.id, canonical)) return;
    if ((await countFollows(tx, account.id)) >= maxFollows)
      throw new ApiError('CONFLICT', byRule('FOLLOWS_FULL', { max: maxFollows }));
    await addFollow(tx, account.id, canonical);
  });
  return canonical;
}

/** Removes an operation from the watchlist of the calling account. A missing one is no error. */
export async function unfollowOperation(context: Context, ticker: string): Promise<void> {
  const canonical = canonicalTicker(ticker);
  if (canonical !== undefined) await removeFollow(context, context.principal.ownerId, canonical);
}

const maxFollows = 100;

const tickerForm = /^[A-Z0-9][A-Z0-9._-]{0,39}$/;

/** Returns a ticker in its stored form, in upper case: tickers are compared ignoring case. Undefined for an invalid ticker. */
export function canonicalTicker(ticker: string): string | undefined {
  const text = ticker.trim().toUpperCase();
  return tickerForm.test(text) ? text : undefined;
}
