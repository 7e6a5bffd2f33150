import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Clock } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import type { KeyRing } from '../../../shared/crypto.js';
import { Fault } from '../../../shared/errors.js';
import { trimEmail } from './account.js';

/** Failures for one e-mail within the window after which it is refused (decisions: ten in 15 minutes). */
export const maxFailures = 10;
export const failureWindowMs = 15 * 60_000;

const forget = 'DELETE FROM accounts.login_failures WHERE email_digest = $1';

const pollMs = 50;
const maxWaitMs = 5_000;

/** A place among the ten, taken before a password is looked at. Exactly one of its ends has to be called. */
export interface Attempt {
  /** The password was right: the e-mail starts afresh. */
  succeed(): Promise<void>;
  /** The password was wrong: the place stays taken for 15 minutes. */
  fail(): Promise<void>;
  /** Nobody could say: the place is given back. */
  withdraw(): Promise<void>;
}

export interface LoginGuard {
  /**
   * Takes a place for an attempt, of an e-mail that need not have an account. While attempts under way might still turn
   * out right it waits for them, so that logging in ten times at once is no fault.
   * @throws {Fault} TOO_MANY_REQUESTS after ten failures in 15 minutes.
   */
  begin(email: string): Promise<Attempt>;
  /** Forgets the failures of an e-mail, in the transaction under way: its owner has proved to be the owner. */
  forgive(context: Context, email: string): Promise<void>;
  /** Deletes what no longer counts. */
  forgetOld(): Promise<void>;
}

export interface LoginGuardParts {
  readonly pool: Pool;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
}

/**
 * Counts attempts per e-mail in PostgreSQL, for all instances, on connections outside of the transaction of the request:
 * refusing a login undoes what its request did, and must not undo this.
 */
export function createLoginGuard({ pool, keyRing, clock }: LoginGuardParts): LoginGuard {
  const digestOf = (email: string) => keyRing.hmac('accounts/login-failures', trimEmail(email).toLowerCase());
  const windowStart = () => new Date(clock.now().getTime() - failureWindowMs);

  return {
    begin: async (email) => {
      const digest = digestOf(email);
      const patience = performance.now() + maxWaitMs;
      for (;;) {
        if (await takePlace(pool, digest, clock.now(), windowStart())) return attemptOf(pool, digest);
        const { decided, freeAt } = await readPlaces(pool, digest, windowStart());
        if (decided || performance.now() > patience) throw tooMany(freeAt, clock.now());
        await delay(pollMs);
      }
    },
    forgive: async (context, email) => {
      await context.manager.query(forget, [digestOf(email)]);
    },
    forgetOld: async () => {
      await pool.query('DELETE FROM accounts.login_failures WHERE last_attempt_at < $1', [windowStart()]);
    },
  };
}

/** One statement: the row is locked while it is counted, so of any number of attempts at once only ten get a place. */
async function takePlace(pool: Pool, digest: Buffer, now: Date, since: Date): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO accounts.login_failures AS known (email_digest, attempts, undecided, last_attempt_at)
     VALUES ($1, ARRAY[$2::timestamptz], 1, $2)
     ON CONFLICT (email_digest) DO UPDATE SET
       attempts = array_append(ARRAY(SELECT a FROM unnest(known.attempts) a WHERE a > $3), $2::timestamptz),
       undecided = 1 + least(known.undecided, (SELECT count(*) FROM unnest(known.attempts) a WHERE a > $3)),
       last_attempt_at = $2
     WHERE (SELECT count(*) FROM unnest(known.attempts) a WHERE a > $3) < ${maxFailures}`,
    [digest, now, since],
  );
  return rowCount === 1;
}

interface Places {
  /** Whether every attempt has come to its end. */
  readonly decided: boolean;
  /** The first attempt that counts: when it is 15 minutes old, a place is free. */
  readonly freeAt: Date | null;
}

async function readPlaces(pool: Pool, digest: Buffer, since: Date): Promise<Places> {
  const { rows } = await pool.query<{ undecided: number; oldest: Date | null }>(
    `SELECT undecided, (SELECT min(a) FROM unnest(attempts) a WHERE a > $2) AS oldest
     FROM accounts.login_failures WHERE email_digest = $1`,
    [digest, since],
  );
  const [row] = rows;
  // No row: a right password came in between, and there is a place again.
  if (row === undefined) return { decided: false, freeAt: null };
  return { decided: row.undecided === 0, freeAt: row.oldest && new Date(row.oldest.getTime() + failureWindowMs) };
}

function attemptOf(pool: Pool, digest: Buffer): Attempt {
  const run = async (sql: string) => {
    await pool.query(sql, [digest]);
  };
  return {
    succeed: () => run(forget),
    fail: () =>
      run('UPDATE accounts.login_failures SET undecided = undecided - 1 WHERE email_digest = $1 AND undecided > 0'),
    withdraw: () =>
      run(
        `UPDATE accounts.login_failures SET undecided = undecided - 1, attempts = trim_array(attempts, 1)
         WHERE email_digest = $1 AND undecided > 0 AND cardinality(attempts) > 0`,
      ),
  };
}

function tooMany(freeAt: Date | null, now: Date): Fault {
  const waitMs = freeAt === null ? 1_000 : freeAt.getTime() - now.getTime();
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Fault('TOO_MANY_REQUESTS', {
    message: `Too Many Requests: the e-mail had ${maxFailures} failed logins in 15 minutes. Try again in ${seconds} seconds`,
    retryAfterSeconds: seconds,
  });
}
