import type { Pool } from 'pg';
import type { Context } from '../../../shared/context.js';

const forget = 'DELETE FROM accounts.login_failures WHERE email_digest = $1';

/**
 * Reserves a place among the attempts of an e-mail since a given time; returns false if `most` are taken. Uses one
 * statement, which locks the row while it counts, so that concurrent attempts never exceed the limit.
 */
export async function takePlace(pool: Pool, digest: Buffer, now: Date, since: Date, most: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO accounts.login_failures AS known (email_digest, attempts, undecided, last_attempt_at)
     VALUES ($1, ARRAY[$2::timestamptz], 1, $2)
     ON CONFLICT (email_digest) DO UPDATE SET
       attempts = array_append(ARRAY(SELECT a FROM unnest(known.attempts) a WHERE a > $3), $2::timestamptz),
       undecided = 1 + least(known.undecided, (SELECT count(*) FROM unnest(known.attempts) a WHERE a > $3)),
       last_attempt_at = $2
     WHERE (SELECT count(*) FROM unnest(known.attempts) a WHERE a > $3) < $4`,
    [digest, now, since, most],
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
export async function readPlaces(pool: Pool, digest: Buffer, since: Date): Promise<Places | undefined> {
  const { rows } = await pool.query<Places>(
    `SELECT undecided, (SELECT min(a) FROM unnest(attempts) a WHERE a > $2) AS oldest
     FROM accounts.login_failures WHERE email_digest = $1`,
    [digest, since],
  );
  return rows[0];
}

/** Ends an attempt and keeps its place taken. */
export async function keepPlace(pool: Pool, digest: Buffer): Promise<void> {
  await pool.query(
    'UPDATE accounts.login_failures SET undecided = undecided - 1 WHERE email_digest = $1 AND undecided > 0',
    [digest],
  );
}

/** Ends an attempt and releases its place. */
export async function givePlaceBack(pool: Pool, digest: Buffer): Promise<void> {
  await pool.query(
    `UPDATE accounts.login_failures SET undecided = undecided - 1, attempts = trim_array(attempts, 1)
     WHERE email_digest = $1 AND undecided > 0 AND cardinality(attempts) > 0`,
    [digest],
  );
}

/** Releases every place of an e-mail. */
export async function clearPlaces(pool: Pool, digest: Buffer): Promise<void> {
  await pool.query(forget, [digest]);
}

/** Does the same in the current transaction. */
export async function clearPlacesWithin(context: Context, digest: Buffer): Promise<void> {
  await context.manager.execute(forget, [digest]);
}

/** Deletes the places of e-mails whose last attempt is older than a given time. */
export async function clearOldPlaces(pool: Pool, before: Date): Promise<void> {
  await pool.query('DELETE FROM accounts.login_failures WHERE last_attempt_at < $1', [before]);
}
