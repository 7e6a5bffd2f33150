import type { Pool } from 'pg';
import type { Context } from '../../../shared/kernel/context.js';
import type { SessionClaims } from './session.js';
import type { SessionOrigin } from './session-origin.js';

export type SessionEnd =
  'LOGOUT' | 'ENDED' | 'DISPLACED' | 'PASSWORD_CHANGED' | 'PASSWORD_RESET' | 'DISABLED' | 'OPERATOR';

export interface SessionRow extends SessionOrigin {
  readonly id: string;
  readonly createdAt: Date;
  /** Delayed by a minute or a little more. */
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly browser: boolean;
}

/** Maximum number of live sessions of one owner; beyond it the oldest ends. */
export const maxLiveSessions = 50;
/** Maximum number of rows of one owner, ended sessions included; beyond it those that ended first are deleted. */
const maxRows = 200;
/** Maximum number of networks stored per account; beyond it the least recently used is deleted. */
const maxNetworks = 100;
/** Delay of the time at which a session was last seen. */
const seenEvery = '1 minute';

const columns = `id, network, user_agent AS "userAgent", cookie_hash IS NOT NULL AS browser, created_at AS "createdAt",
  last_seen_at AS "lastSeenAt", expires_at AS "expiresAt"`;
const live = `ended_at IS NULL AND expires_at > $2
  AND (idle_seconds IS NULL OR last_seen_at + idle_seconds * interval '1 second' > $2)`;

/** Returns the live sessions of an owner: an account, an operator, or a trading credential, newest first. */
export function listSessions(context: Context, ownerId: string): Promise<SessionRow[]> {
  return context.manager.rows(
    `SELECT ${columns} FROM accounts.sessions WHERE owner_id = $1 AND ${live} ORDER BY created_at DESC, id DESC`,
    [ownerId, context.clock.now()],
  );
}

export async function addSession(
  context: Context,
  accountId: string,
  { id, network, userAgent, createdAt, lastSeenAt, expiresAt }: Omit<SessionRow, 'browser'>,
): Promise<void> {
  await context.manager.execute(
    `INSERT INTO accounts.sessions (id, account_id, network, user_agent, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, accountId, network, userAgent, createdAt, lastSeenAt, expiresAt],
  );
}

/** Returns the content of the token of an account's session, whether or not it has ended. */
export function findOpened(context: Context, id: string): Promise<SessionClaims | undefined> {
  return context.manager.row(
    'SELECT id, account_id AS "accountId", expires_at AS "expiresAt" FROM accounts.sessions WHERE id = $1 AND account_id IS NOT NULL',
    [id],
  );
}

/** Ends the oldest of an owner's live sessions if there are more than fifty, and returns their ids. The owner's row must be locked. */
export async function endOldest(context: Context, ownerId: string): Promise<string[]> {
  const now = context.clock.now();
  await context.manager.execute(
    `DELETE FROM accounts.sessions WHERE owner_id = $1 AND NOT (${live}) AND id IN
       (SELECT id FROM accounts.sessions WHERE owner_id = $1 ORDER BY created_at DESC, id DESC OFFSET ${maxRows})`,
    [ownerId, now],
  );
  return ended(
    context,
    `UPDATE accounts.sessions SET ended_at = $2, end_reason = 'DISPLACED' WHERE id IN
       (SELECT id FROM accounts.sessions WHERE owner_id = $1 AND ${live}
        ORDER BY created_at DESC, id DESC OFFSET ${maxLiveSessions}) RETURNING id`,
    [ownerId, now],
  );
}

export async function endSession(context: Context, ownerId: string, id: string, why: SessionEnd): Promise<boolean> {
  const rows = await ended(
    context,
    `UPDATE accounts.sessions SET ended_at = $2, end_reason = $4 WHERE owner_id = $1 AND id = $3 AND ${live} RETURNING id`,
    [ownerId, context.clock.now(), id, why],
  );
  return rows.length > 0;
}

/** Ends every live session of an owner, except a given one, and returns their ids. The owner's row must be locked. */
export function endSessions(
  context: Context,
  ownerId: string,
  why: SessionEnd,
  except: string | null = null,
): Promise<string[]> {
  return ended(
    context,
    `UPDATE accounts.sessions SET ended_at = $2, end_reason = $3
     WHERE owner_id = $1 AND ${live} AND ($4::uuid IS NULL OR id <> $4) RETURNING id`,
    [ownerId, context.clock.now(), why, except],
  );
}

/** Ends the live sessions of an owner that a token authenticates, and returns their ids. The owner's row must be locked. */
export function endTokenSessions(context: Context, ownerId: string, why: SessionEnd): Promise<string[]> {
  return ended(
    context,
    `UPDATE accounts.sessions SET ended_at = $2, end_reason = $3
     WHERE owner_id = $1 AND cookie_hash IS NULL AND ${live} RETURNING id`,
    [ownerId, context.clock.now(), why],
  );
}

function ended(context: Context, text: string, values: readonly unknown[]): Promise<string[]> {
  return context.manager.values(text, [...values]);
}

export function liveSessionIds(context: Context, ownerId: string): Promise<string[]> {
  return context.manager.values(`SELECT id FROM accounts.sessions WHERE owner_id = $1 AND ${live}`, [
    ownerId,
    context.clock.now(),
  ]);
}

/** Whether a session of an owner is live; if so, it stays live until the end of the transaction. */
export async function holdSession(context: Context, ownerId: string, id: string): Promise<boolean> {
  const rows = await context.manager.rows<object>(
    `SELECT FROM accounts.sessions WHERE owner_id = $1 AND id = $3 AND ${live} FOR SHARE`,
    [ownerId, context.clock.now(), id],
  );
  return rows.length > 0;
}

export interface KnownSession {
  readonly accountId: string;
  readonly confirmed: boolean;
}

/** Returns a session that has not been ended; its token holds its expiry. */
export async function readSession(pool: Pool, id: string): Promise<KnownSession | undefined> {
  const { rows } = await pool.query<KnownSession>(
    `SELECT account.id AS "accountId", account.confirmed_at IS NOT NULL AS confirmed
     FROM accounts.sessions AS session JOIN accounts.accounts AS account ON account.id = session.account_id
     WHERE session.id = $1 AND session.cookie_hash IS NULL AND session.ended_at IS NULL AND account.disabled_at IS NULL`,
    [id],
  );
  return rows[0];
}

/** Updates when sessions were last seen, if that is more than a minute behind. */
export async function noteSeen(pool: Pool, uses: ReadonlyMap<string, { readonly lastUsedAt: Date }>): Promise<void> {
  // Locks rows in a fixed order, so that instances that write at the same time cannot deadlock.
  await pool.query(
    `WITH seen AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS seen(id, at)),
       locked AS (
         SELECT id, seen.at FROM accounts.sessions AS session JOIN seen USING (id)
         WHERE session.last_seen_at < seen.at - interval '${seenEvery}' ORDER BY id FOR NO KEY UPDATE OF session)
     UPDATE accounts.sessions AS session SET last_seen_at = locked.at FROM locked WHERE session.id = locked.id`,
    [[...uses.keys()], [...uses.values()].map(({ lastUsedAt }) => lastUsedAt)],
  );
}

/** Deletes sessions that ended or expired before a given time, at most `limit`; returns how many. */
export function forgetSessions(context: Context, before: Date, limit: number): Promise<number> {
  return context.manager.execute(
    `DELETE FROM accounts.sessions WHERE id IN
       (SELECT id FROM accounts.sessions WHERE least(ended_at, expires_at) < $1 LIMIT $2)`,
    [before, limit],
  );
}

export async function removeSessionsOf(context: Context, accountIds: readonly string[]): Promise<string[]> {
  await context.manager.execute('DELETE FROM accounts.networks WHERE account_id = ANY ($1)', [accountIds]);
  return ended(context, 'DELETE FROM accounts.sessions WHERE account_id = ANY ($1) RETURNING id', [accountIds]);
}

/** Returns whether it is new: others are known and this one is not. The account's row must be locked. */
export async function noteNetwork(context: Context, accountId: string, network: string): Promise<boolean> {
  const known = await context.manager.rows<{ network: string }>(
    'SELECT network FROM accounts.networks WHERE account_id = $1 ORDER BY last_opened_at',
    [accountId],
  );
  const isNew = !known.some((one) => one.network === network);
  await context.manager.execute(
    `INSERT INTO accounts.networks (account_id, network, last_opened_at) VALUES ($1, $2, $3)
     ON CONFLICT (account_id, network) DO UPDATE SET last_opened_at = excluded.last_opened_at`,
    [accountId, network, context.clock.now()],
  );
  const [oldest] = known;
  if (isNew && oldest !== undefined && known.length >= maxNetworks) {
    await context.manager.execute('DELETE FROM accounts.networks WHERE account_id = $1 AND network = $2', [
      accountId,
      oldest.network,
    ]);
  }
  return isNew && known.length > 0;
}

/** Whether a session of the account with an e-mail was opened from a network before. */
export async function isKnownNetwork({ manager }: Context, email: string, network: string): Promise<boolean> {
  const known = await manager.value<boolean>(
    `SELECT true FROM accounts.networks AS n JOIN accounts.accounts AS a ON a.id = n.account_id
     WHERE lower(a.email) = lower($1) AND n.network = $2 LIMIT 1`,
    [email, network],
  );
  return known === true;
}

/** Whether a second factor of an owner was proved from a network, as far as sessions are kept. */
export async function hasProvedFrom({ manager }: Context, ownerId: string, network: string): Promise<boolean> {
  const known = await manager.value<boolean>(
    'SELECT true FROM accounts.sessions WHERE owner_id = $1 AND network = $2 AND second_factor_at IS NOT NULL LIMIT 1',
    [ownerId, network],
  );
  return known === true;
}

/** Deletes networks from which no session was opened since a given time. */
export async function forgetNetworks(context: Context, before: Date): Promise<void> {
  await context.manager.execute('DELETE FROM accounts.networks WHERE last_opened_at < $1', [before]);
}
