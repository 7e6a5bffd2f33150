import type { Context } from '../../../shared/kernel/context.js';
import type { MailLanguage } from '../accounts/compose-mail.js';

export type DigestFrequency = 'NONE' | 'DAILY' | 'WEEKLY';

/** Days since which an account may have had its last digest, and be due for the next one: the day before they are today or this Monday. */
export interface DueDays {
  readonly today: string;
  readonly monday: string;
}

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

export interface OperationNews {
  readonly eventId: string;
  /** Of the event: of two about the same day of a series, the one with the greater number was published later. */
  readonly eventSequence: number;
  readonly ticker: string;
  readonly kind: string;
  readonly correction: boolean;
  readonly seriesTicker: string | null;
  readonly reference: string;
  readonly unitPrice: string | null;
  readonly occurredAt: string;
}

/** What digests tell of one kind of news of an operation, or of one series of it. */
export interface NewsGroup extends Omit<OperationNews, 'eventId' | 'eventSequence' | 'occurredAt'> {
  readonly count: number;
}

/** Groups of one digest; the rest is left out. */
const mostGroups = 1_000;

/** Stores news once each. Until the end of the transaction no other one stores any, so that positions become visible in their order. */
export async function addNews({ manager }: Context, news: readonly OperationNews[]): Promise<void> {
  if (news.length === 0) return;
  await manager.execute(`SELECT pg_advisory_xact_lock(hashtextextended('accounts.operation_news', 0))`);
  await manager.execute(
    `INSERT INTO accounts.operation_news (event_id, event_sequence, ticker, kind, correction, series_ticker, reference, unit_price, occurred_at)
     SELECT one."eventId", one."eventSequence", upper(one.ticker), one.kind, one.correction, one."seriesTicker", one.reference, one."unitPrice", one."occurredAt"
     FROM jsonb_to_recordset($1::jsonb) AS one ("eventId" uuid, "eventSequence" bigint, ticker text, kind text, correction boolean, "seriesTicker" text,
       reference date, "unitPrice" numeric, "occurredAt" timestamptz)
     ON CONFLICT (event_id) DO NOTHING`,
    [JSON.stringify(news)],
  );
}

/** Returns the position of the latest news, 0 where there is none. */
export async function latestPosition({ manager }: Context): Promise<string> {
  return (await manager.value<string>('SELECT max(position)::text FROM accounts.operation_news')) ?? '0';
}

/** Returns the news of the operations that an account follows, after a position and up to another, by operation. */
export function newsFor(
  { manager }: Context,
  accountId: string,
  { after, upTo }: { readonly after: string; readonly upTo: string },
): Promise<NewsGroup[]> {
  return manager.rows(
    `SELECT ticker, kind, correction, series_ticker AS "seriesTicker", count(*)::int AS count, max(reference)::text AS reference,
       (array_agg(unit_price::text ORDER BY reference DESC, event_sequence DESC, position DESC))[1] AS "unitPrice"
     FROM accounts.follows JOIN accounts.operation_news USING (ticker)
     WHERE account_id = $1 AND position > $2 AND position <= $3
     GROUP BY ticker, kind, correction, series_ticker
     ORDER BY ticker, correction, kind, series_ticker LIMIT ${mostGroups}`,
    [accountId, after, upTo],
  );
}

export async function forgetNews({ manager }: Context, before: Date): Promise<void> {
  await manager.execute('DELETE FROM accounts.operation_news WHERE occurred_at < $1', [before]);
}
