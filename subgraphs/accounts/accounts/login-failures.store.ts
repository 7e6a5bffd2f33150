import type { Pool } from 'pg';
import type { Context } from '../../../shared/kernel/context.js';

/** What attempts are counted by. */
export interface Counter {
  /** Digest of the e-mail, or of the owner of second factors. */
  readonly email: Buffer;
  /** Digest of the client; that of the e-mail in the count over all clients that are not known. */
  readonly client: Buffer;
  /** How many places there are. */
  readonly most: number;
}

const ofCounter = 'email_digest = $1 AND client_digest = $2';

/**
 * Reserves a place among the attempts of a counter since a given time; returns false if all are taken. Uses one
 * statement, which locks the row while it counts, so that concurrent attempts never exceed the limit.
 */
export async function takePlace(
  pool: Pool,
  { email, client, most }: Counter,
  now: Date,
  since: Date,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO accounts.login_failures AS known (email_digest, attempts, undecided, last_attempt_at, client_digest)
     VALUES ($1, ARRAY[$2::timestamptz], 1, $2, $5)
     ON CONFLICT (email_digest, client_digest) DO UPDATE SET
       attempts = array_append(ARRAY(SELECT a FROM unnest(known.attempts) a WHERE a > $3), $2::timestamptz),
       undecided = 1 + least(known.undecided, (SELECT count(*) FROM unnest(known.attempts) a WHERE a > $3)),
       last_attempt_at = $2
     WHERE (SELECT count(*) FROM unnest(known.attempts) a WHERE a > $3) < $4`,
    [email, now, since, most, client],
  );
  return rowCount === 1;
}

export interface Places {
  /** Number of attempts in progress. */
  readonly undecided: number;
  /** The first attempt that counts; null when none does. */
  readonly oldest: Date | null;
}

/** Returns the places taken since a given time; undefined if there are none. */
export async function readPlaces(pool: Pool, { email, client }: Counter, since: Date): Promise<Places | undefined> {
  const { rows } = await pool.query<Places>(
    `SELECT undecided, (SELECT min(a) FROM unnest(attempts) a WHERE a > $3) AS oldest
     FROM accounts.login_failures WHERE ${ofCounter}`,
    [email, client, since],
  );
  return rows[0];
}

/** Ends an attempt and keeps its place taken. */
export async function keepPlace(pool: Pool, { email, client }: Counter): Promise<void> {
  await pool.query(
    `UPDATE accounts.login_failures SET undecided = undecided - 1 WHERE ${ofCounter} AND undecided > 0`,
    [email, client],
  );
}

/** Ends an attempt and releases its place. */
export async function givePlaceBack(pool: Pool, { email, client }: Counter): Promise<void> {
  await pool.query(
    `UPDATE accounts.login_failures SET undecided = undecided - 1, attempts = trim_array(attempts, 1)
     WHERE ${ofCounter} AND undecided > 0 AND cardinality(attempts) > 0`,
    [email, client],
  );
}

/** Releases every place of a counter. */
export async function clearPlaces(pool: Pool, { email, client }: Counter): Promise<void> {
  await pool.query(`DELETE FROM accounts.login_failures WHERE ${ofCounter}`, [email, client]);
}

/** Releases every place of an e-mail, in the current transaction. */
export async function clearPlacesWithin(context: Context, email: Buffer): Promise<void> {
  await context.manager.execute('DELETE FROM accounts.login_failures WHERE email_digest = $1', [email]);
}

/** Deletes the places of e-mails whose last attempt is older than a given time. */
export async function clearOldPlaces(pool: Pool, before: Date): Promise<void> {
  await pool.query('DELETE FROM accounts.login_failures WHERE last_attempt_at < $1', [before]);
}
