import type { Context } from '../../../shared/kernel/context.js';
import { mintToken, tokenHash, tokenLifetimesMs, type TokenPurpose } from './one-time-token.js';
import { OneTimeTokenRow } from './one-time-token.entity.js';

/** Creates a token for an account and returns it: it cannot be read again. */
export async function issueToken(context: Context, accountId: string, purpose: TokenPurpose): Promise<string> {
  const token = mintToken();
  const now = context.clock.now();
  await context.manager.insert(OneTimeTokenRow, {
    hash: tokenHash(token),
    accountId,
    purpose,
    createdAt: now,
    expiresAt: new Date(now.getTime() + tokenLifetimesMs[purpose]),
  });
  return token;
}

/** Returns the e-mail of the account of a token; undefined for an unknown token. */
export function emailOfToken(context: Context, token: string): Promise<string | undefined> {
  return context.manager.value(
    `SELECT account.email FROM accounts.one_time_tokens AS token JOIN accounts.accounts AS account ON account.id = token.account_id
     WHERE token.hash = $1`,
    [tokenHash(token)],
  );
}

/** Uses a token up in one statement, so that it works once, together with all tokens of the same purpose of its account. Returns undefined if it does not work. */
export async function consumeToken(tx: Context, token: string, purpose: TokenPurpose): Promise<string | undefined> {
  const hash = tokenHash(token);
  const now = tx.clock.now();
  // Locks the account first, so that two tokens of one account cannot deadlock.
  await tx.manager.execute(
    `SELECT FROM accounts.accounts WHERE id = (SELECT account_id FROM accounts.one_time_tokens WHERE hash = $1) FOR NO KEY UPDATE`,
    [hash],
  );
  const used = await tx.manager.row<{ accountId: string }>(
    `UPDATE accounts.one_time_tokens SET used_at = $3
     WHERE hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3 RETURNING account_id AS "accountId"`,
    [hash, purpose, now],
  );
  if (used === undefined) return undefined;
  await useUpTokens(tx, used.accountId, purpose);
  return used.accountId;
}

export async function useUpTokens(context: Context, accountId: string, purpose: TokenPurpose): Promise<void> {
  await context.manager.execute(
    'UPDATE accounts.one_time_tokens SET used_at = $3 WHERE account_id = $1 AND purpose = $2 AND used_at IS NULL',
    [accountId, purpose, context.clock.now()],
  );
}

export async function forgetTokens(context: Context, before: Date): Promise<void> {
  await context.manager.execute('DELETE FROM accounts.one_time_tokens WHERE expires_at < $1', [before]);
}

export async function removeTokensOf(context: Context, accountIds: readonly string[]): Promise<void> {
  await context.manager.execute('DELETE FROM accounts.one_time_tokens WHERE account_id = ANY ($1)', [accountIds]);
}
