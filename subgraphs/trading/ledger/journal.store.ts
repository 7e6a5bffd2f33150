import { QueryFailedError } from 'typeorm';
import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, type ErrorCode } from '../../../shared/kernel/errors.js';
import type { WalletRef } from './balance.store.js';
import { arraysOf } from '../../../shared/kernel/arrays-of.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { CurrencyHalt } from './finding.type.js';

/** A journal as `trading.post_journals` takes it; amounts are decimal text. */
export interface JournalRecord {
  readonly id: string;
  readonly key: string;
  readonly cause: string;
  readonly causeId: string;
  readonly postings: readonly {
    readonly owner: string;
    readonly kind: string;
    readonly currency: string;
    readonly amount: string;
  }[];
  readonly holds: readonly (
    | { readonly act: 'release'; readonly id: string }
    | { readonly act: 'open' | 'spend'; readonly id: string; readonly amount: string }
  )[];
}

export interface PostedJournal {
  /** Id of the journal (UUID); for one posted before, its first id. */
  readonly id: string;
  /** Whether it was posted before, so that nothing changed. */
  readonly repeated: boolean;
}

/** Posts journals of one world. See `postJournals` for the errors. */
export async function writeJournals(
  { manager }: Context,
  synthetic: boolean,
  journals: readonly JournalRecord[],
): Promise<PostedJournal[]> {
  try {
    const row = await manager.row<{ posted: PostedJournal[] }>('SELECT trading.post_journals($1, $2) AS posted', [
      synthetic,
      JSON.stringify(journals),
    ]);
    return row?.posted ?? [];
  } catch (error) {
    throw toApiError(error) ?? error;
  }
}

/** Returns those of the given keys under which a journal was posted. */
export async function findPosted({ manager }: Context, keys: readonly string[]): Promise<Set<string>> {
  const rows = await manager.rows<{ key: string }>('SELECT key FROM trading.journals WHERE key = ANY ($1)', [keys]);
  return new Set(rows.map(({ key }) => key));
}

/** The errors that callers receive, by SQLSTATE or by the name of the violated constraint. */
const refusals: Readonly<Record<string, { readonly code: ErrorCode; readonly message?: string }>> = {
  LD001: { code: 'CONFLICT', message: 'Another journal was posted with the same key' },
  LD002: { code: 'CONFLICT', message: 'The hold does not exist, or its remaining amount is too small' },
  holds_pkey: { code: 'CONFLICT', message: 'Another hold has the same id' },
  ledger_accounts_client_balance: { code: 'INSUFFICIENT_BALANCE' },
};

/** The fields of a PostgreSQL error. */
const driverForm = z.object({ code: z.string().optional(), constraint: z.string().optional() });

/** @param error its message, which is only logged, names the journal or hold, and the amount left */
function toApiError(error: unknown): ApiError | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const { code = '', constraint = '' } = driverForm.parse(error.driverError);
  const refusal = refusals[constraint] ?? refusals[code];
  return refusal && new ApiError(refusal.code, { ...refusal, cause: error });
}

/** A currency in which no new trades are accepted. */
export type HaltRow = Shape<CurrencyHalt>;

const columns = 'currency, synthetic, reason, halted_at AS "haltedAt"';

/** Returns the halts of the given currencies in a world: none when all of them can be traded. */
export function haltsOf({ manager }: Context, currencies: readonly string[], synthetic: boolean): Promise<HaltRow[]> {
  return manager.rows(
    `SELECT ${columns} FROM trading.currency_halts WHERE currency = ANY ($1::text[]) AND synthetic = $2 ORDER BY currency`,
    [currencies, synthetic],
  );
}

/** Lists all halts, by currency. */
export function listHalts({ manager }: Context): Promise<HaltRow[]> {
  return manager.rows(`SELECT ${columns} FROM trading.currency_halts ORDER BY currency, synthetic`);
}

/** Halts currencies; one that is already halted keeps its reason. */
export async function addHalts(
  { manager, clock }: Context,
  halts: readonly Pick<HaltRow, 'currency' | 'synthetic' | 'reason'>[],
): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.currency_halts (currency, synthetic, reason, halted_at)
     SELECT *, $4::timestamptz FROM unnest($1::text[], $2::boolean[], $3::text[]) ON CONFLICT DO NOTHING`,
    [...arraysOf(halts, 'currency', 'synthetic', 'reason'), clock.now()],
  );
}

/** Lifts the halt of a currency. @returns the halt that was lifted; undefined where there was none */
export function removeHalt({ manager }: Context, currency: string, synthetic: boolean): Promise<HaltRow | undefined> {
  return manager.row(`DELETE FROM trading.currency_halts WHERE currency = $1 AND synthetic = $2 RETURNING ${columns}`, [
    currency,
    synthetic,
  ]);
}

/** A place in the movements of a wallet. It names no journal, since callers receive it and a correcting journal may concern two clients. */
export interface MovementPlace {
  /** ISO 8601 with microseconds. */
  readonly postedAt: string;
  /** The number of movements at that time before the place, in the order of the journals' ids. */
  readonly seen: number;
}

export interface StatementQuery {
  readonly wallet: WalletRef;
  readonly currency: string;
  /** The period: from the first time, inclusive, to the second, exclusive (ISO 8601). */
  readonly from: string;
  readonly to: string;
  readonly after: MovementPlace | null;
  readonly limit: number;
}

/** The effect of one journal on a wallet; amounts are decimal text, zero where there is none. */
export interface MovementRow {
  /** ISO 8601 with microseconds. */
  readonly postedAt: string;
  readonly journalId: string;
  readonly available: string;
  readonly locked: string;
  readonly cause: string;
  readonly causeId: string;
  /** The order that it belongs to, also where a quote caused it; null where there is none. */
  readonly orderId: string | null;
  /** The operator's reason; null for journals of the program. */
  readonly reason: string | null;
}

export interface StatementRow {
  /** Balances before the first entry of the period and after its last, as decimal text. */
  readonly openingAvailable: string;
  readonly openingLocked: string;
  readonly closingAvailable: string;
  readonly closingLocked: string;
  readonly movements: readonly MovementRow[];
}

const before = (account: string, moment: string) =>
  `coalesce((SELECT balance FROM trading.entries WHERE account_id = (SELECT id FROM ${account}) AND posted_at < ${moment}
     ORDER BY posted_at DESC LIMIT 1), 0)::text`;

const entriesOf = (account: string, available: string, locked: string) =>
  `(SELECT journal_id, posted_at, ${available} AS available, ${locked} AS locked FROM trading.entries
    WHERE account_id = (SELECT id FROM ${account}) AND posted_at >= $6 AND posted_at < $5
    ORDER BY posted_at LIMIT $8::integer + $7::integer)`;

/** One statement, so that all of it reads one snapshot. */
const text = `
  WITH account AS MATERIALIZED (
    SELECT id, kind FROM trading.ledger_accounts
    WHERE owner = $1::text AND kind IN ('AVAILABLE', 'LOCKED') AND currency = $2 AND synthetic = $3 AND stripe = 0
  ), available AS (SELECT id FROM account WHERE kind = 'AVAILABLE'
  ), locked AS (SELECT id FROM account WHERE kind = 'LOCKED'
  ), page AS (
    SELECT journal_id, posted_at, sum(available) AS available, sum(locked) AS locked
    FROM (${entriesOf('available', 'amount', '0')} UNION ALL ${entriesOf('locked', '0', 'amount')}) AS entry
    GROUP BY journal_id, posted_at ORDER BY posted_at, journal_id LIMIT $8::integer OFFSET $7::integer
  )
  SELECT ${before('available', '$4::timestamptz')} AS "openingAvailable", ${before('locked', '$4::timestamptz')} AS "openingLocked",
    ${before('available', '$5::timestamptz')} AS "closingAvailable", ${before('locked', '$5::timestamptz')} AS "closingLocked",
    coalesce((
      SELECT json_agg(json_build_object('journalId', page.journal_id, 'postedAt', page.posted_at, 'available', page.available::text,
        'locked', page.locked::text, 'cause', journal.cause, 'causeId', journal.cause_id, 'reason', correction.reason,
        'orderId', CASE WHEN journal.cause LIKE 'order%' THEN journal.cause_id WHEN journal.cause = 'quote.execution'
          THEN (SELECT orders.id::text FROM trading.orders WHERE orders.quote_id = journal.cause_id::uuid) END)
        ORDER BY page.posted_at, page.journal_id)
      FROM page JOIN trading.journals AS journal ON journal.id = page.journal_id AND journal.synthetic = $3
      LEFT JOIN trading.corrections AS correction ON correction.journal_id = journal.id), '[]') AS movements`;

/** Reads the movements of a wallet in a period, oldest first, with its balances at both ends. */
export function readMovements({ manager }: Context, query: StatementQuery): Promise<StatementRow> {
  const { wallet, currency, from, to, limit } = query;
  const after = query.after ?? { postedAt: from, seen: 0 };
  return manager.one(text, [wallet.id, currency, wallet.synthetic, from, to, after.postedAt, after.seen, limit]);
}
