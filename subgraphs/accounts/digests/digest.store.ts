import type { Context } from '../../../shared/kernel/context.js';
import type { MailLanguage } from '../accounts/compose-mail.js';

/** How often an account gets digests. */
export type DigestFrequency = 'NONE' | 'DAILY' | 'WEEKLY';

/** Days since which an account may have had its last digest, and be due for the next one: the day before they are today or this Monday. */
export interface DueDays {
  readonly today: string;
  /** Monday of this week. */
  readonly monday: string;
}

/** A digest that is due. */
export interface DueDigest {
  readonly language: MailLanguage;
  /** Position of the last news that digests have covered. */
  readonly after: string;
}

const due = `digest <> 'NONE' AND digest_day < CASE digest WHEN 'DAILY' THEN $2::date ELSE $3::date END`;

/** Returns accounts whose digest is due, by id after a given one; disabled ones are left out. */
export function listDueDigests(
  { manager }: Context,
  after: string,
  { today, monday }: DueDays,
  take: number,
): Promise<string[]> {
  return manager.values(
    `SELECT id FROM accounts.accounts WHERE id > $1 AND ${due} AND disabled_at IS NULL ORDER BY id LIMIT $4`,
    [after, today, monday, take],
  );
}

/** Returns the digest of an account that the transaction has locked; undefined where none is due. */
export function findDueDigest(
  { manager }: Context,
  accountId: string,
  { today, monday }: DueDays,
): Promise<DueDigest | undefined> {
  return manager.row(
    `SELECT mail_language AS language, digest_after::text AS after FROM accounts.accounts WHERE id = $1 AND ${due}`,
    [accountId, today, monday],
  );
}

/** Stores up to where, and on which day, an account was told the news. */
export async function markDigest({ manager }: Context, accountId: string, upTo: string, day: string): Promise<void> {
  await manager.execute('UPDATE accounts.accounts SET digest_after = $2, digest_day = $3 WHERE id = $1', [
    accountId,
    upTo,
    day,
  ]);
}
