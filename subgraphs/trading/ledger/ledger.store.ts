import { QueryFailedError } from 'typeorm';
import { z } from 'zod';
import type { ErrorCode } from '../../../shared/registry.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { CurrencyHalt, Balance, WalletMovement } from './ledger.type.js';
import type { Discrepancy } from './finding.store.js';

/** Maximum number of discrepancies that one check returns. */
const most = 200;

/** How long the house may owe what it is still trading at the venues for a quote; after that an operator is alerted to the hedge, too. */
const hedgedWithin = '5 minutes';

/** Reads every account and every open hold once, the hedges under way, and the last entry of recently changed accounts, in one snapshot. */
export function findInBalances({ manager }: Context): Promise<Discrepancy[]> {
  return manager.rows(
    `WITH account AS MATERIALIZED (
       SELECT id, kind, wallet_id, currency, synthetic, balance, entry_count, last_posted_at FROM trading.ledger_accounts
     ), held AS (
       SELECT wallet_id, currency, synthetic, sum(remaining) AS remaining FROM trading.holds WHERE closed_at IS NULL
       GROUP BY wallet_id, currency, synthetic
     ), coming AS (
       SELECT CASE side WHEN 'BUY' THEN base ELSE quote END AS currency, hedge.synthetic,
         sum(CASE side WHEN 'BUY' THEN greatest(0, amount - hedged_amount) ELSE greatest(0, quote_amount - hedged_value) END) AS amount
       FROM trading.hedges AS hedge JOIN trading.quotes AS quoted ON quoted.id = quote_id
       WHERE hedge.state = 'OPEN' AND executed_at > now() - interval '${hedgedWithin}' GROUP BY 1, 2
     ), world AS (
       SELECT currency, synthetic, sum(balance) AS total,
         coalesce(sum(balance) FILTER (WHERE wallet_id IS NOT NULL), 0) AS owed,
         -coalesce(sum(balance) FILTER (WHERE kind IN ('VENUE', 'CUSTODY', 'DEPOSITS_IN_TRANSIT', 'WITHDRAWALS_IN_TRANSIT')), 0)
           AS kept
       FROM account GROUP BY currency, synthetic
     )
     SELECT 'ZERO_SUM' AS invariant, currency, synthetic, '' AS subject, '0' AS expected, total::text AS actual
     FROM world WHERE total <> 0
     UNION ALL
     SELECT 'LIABILITIES_COVERED', currency, synthetic, '', 'at least ' || owed, (kept + coalesce(amount, 0))::text
     FROM world LEFT JOIN coming USING (currency, synthetic) WHERE owed > kept + coalesce(amount, 0)
     UNION ALL
     SELECT 'CLIENT_NOT_NEGATIVE', currency, synthetic, 'account ' || id, 'at least 0', balance::text
     FROM account WHERE wallet_id IS NOT NULL AND balance < 0
     UNION ALL
     SELECT 'LOCKED_IS_HELD', currency, synthetic, 'wallet ' || wallet_id, coalesce(remaining, 0)::text, coalesce(balance, 0)::text
     FROM (SELECT wallet_id, currency, synthetic, balance FROM account WHERE kind = 'LOCKED') AS locked
     FULL JOIN held USING (wallet_id, currency, synthetic) WHERE coalesce(remaining, 0) <> coalesce(balance, 0)
     UNION ALL
     SELECT 'BALANCE_IS_LAST_ENTRY', account.currency, account.synthetic, 'account ' || id,
       coalesce(format('%s after entry %s', entry.balance, entry.number), 'an entry'),
       format('%s after entry %s', account.balance, entry_count)
     FROM account LEFT JOIN trading.entries AS entry ON entry.account_id = id AND entry.posted_at = last_posted_at
     WHERE last_posted_at > now() - interval '10 minutes'
       AND (entry.balance, entry.number) IS DISTINCT FROM (account.balance, entry_count)
     LIMIT ${most}`,
  );
}

/** Every account is the sum of its entries, without gaps, and every currency adds up to zero, with the proved sums. @param since the end of the last proved month */
export function findInEntries({ manager }: Context, since: string): Promise<Discrepancy[]> {
  return manager.rows(
    `WITH fresh AS MATERIALIZED (SELECT * FROM trading.add_up_entries($1, 'infinity'))
     SELECT 'BALANCE_IS_SUM_OF_ENTRIES' AS invariant, account.currency, account.synthetic, 'account ' || account.id AS subject,
       format('%s after %s entries, %s of them out of order', coalesce(proved.balance, 0) + coalesce(fresh.amount, 0),
         coalesce(proved.last_number, 0) + coalesce(fresh.entries, 0), coalesce(fresh.broken, 0)) AS expected,
       format('%s after %s entries', account.balance, account.entry_count) AS actual
     FROM trading.ledger_accounts AS account
     LEFT JOIN fresh ON fresh.account_id = account.id
     LEFT JOIN LATERAL (
       SELECT last_number, balance FROM trading.entry_sums AS sums WHERE sums.account_id = account.id
       ORDER BY sums.month DESC LIMIT 1) AS proved ON true
     WHERE coalesce(proved.balance, 0) + coalesce(fresh.amount, 0) <> account.balance
       OR coalesce(proved.last_number, 0) + coalesce(fresh.entries, 0) <> account.entry_count
       OR coalesce(fresh.last_number, proved.last_number, 0) <> account.entry_count
       OR fresh.opening <> coalesce(proved.balance, 0) OR fresh.broken > 0
     UNION ALL
     SELECT 'ENTRIES_ZERO_SUM', account.currency, account.synthetic, 'since ' || $1, '0', sum(fresh.amount)::text
     FROM fresh JOIN trading.ledger_accounts AS account ON account.id = fresh.account_id
     GROUP BY account.currency, account.synthetic HAVING sum(fresh.amount) <> 0
     LIMIT ${most}`,
    [since],
  );
}

/** Checks that a month still has the sums with which it was proved. */
export function findInProvedMonth({ manager }: Context, month: string): Promise<Discrepancy[]> {
  return manager.rows(
    `SELECT 'PROVED_MONTH_STANDS' AS invariant, account.currency, account.synthetic, format('account %s in %s', account.id, $1::date) AS subject,
       format('%s in %s entries', kept.amount, kept.entries) AS expected,
       format('%s in %s entries, %s of them out of order', fresh.amount, fresh.entries, fresh.broken) AS actual
     FROM (SELECT * FROM trading.entry_sums WHERE month = $1::date) AS kept
     FULL JOIN trading.add_up_entries($1::date, $1::date + interval '1 month') AS fresh USING (account_id)
     JOIN trading.ledger_accounts AS account ON account.id = account_id
     WHERE (kept.amount, kept.entries, kept.last_number, 0) IS DISTINCT FROM (fresh.amount, fresh.entries, fresh.last_number, fresh.broken)
     LIMIT ${most}`,
    [month],
  );
}

/** Lists the proved months, oldest first, as `YYYY-MM-01`. */
export function provedMonths({ manager }: Context): Promise<string[]> {
  return manager.values('SELECT month::text FROM trading.proved_months ORDER BY month');
}

/** Lists the months that ended at least an hour ago and are not proved yet, oldest first. Nothing more can be posted in them. */
export function monthsToProve({ manager }: Context): Promise<string[]> {
  return manager.values(
    `SELECT month::date::text AS month FROM generate_series(
       coalesce((SELECT max(month) + interval '1 month' FROM trading.proved_months),
                (SELECT date_trunc('month', min(posted_at)) FROM trading.entries))::timestamp,
       date_trunc('month', now() - interval '1 hour')::timestamp - interval '1 month', interval '1 month') AS month
     ORDER BY month`,
  );
}

/** Proves a month. @returns false if it does not add up */
export async function proveMonth({ manager }: Context, month: string): Promise<boolean> {
  const rows = await manager.rows<{ proved: boolean }>('SELECT trading.prove_month($1) AS proved', [month]);
  return rows[0]?.proved === true;
}

/** Counts the entries outside of the existing partitions by month. */
export function countStrayEntries({ manager }: Context): Promise<number> {
  return manager.countRows(
    'SELECT count(*)::integer AS count FROM (SELECT FROM trading.entries_other LIMIT 1000) AS stray',
  );
}

/** Creates the partitions of entries for the coming months. @returns how many it created */
export function makeEntryMonths({ manager }: Context): Promise<number> {
  return manager.countRows('SELECT trading.make_entry_months() AS made');
}

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

/** Returns the live or synthetic halts of the given currencies: none when all of them can be traded. */
export function haltsOf({ manager }: Context, currencies: readonly string[], synthetic: boolean): Promise<HaltRow[]> {
  return manager.rows(
    `SELECT ${columns} FROM trading.currency_halts WHERE currency = ANY ($1::text[]) AND synthetic = $2 ORDER BY currency`,
    [currencies, synthetic],
  );
}

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
export interface MovementRow extends Omit<Shape<WalletMovement>, 'postedAt' | 'balance'> {
  /** ISO 8601 with microseconds. */
  readonly postedAt: string;
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
        'orderId', CASE WHEN journal.cause LIKE 'order%' THEN journal.cause_id ELSE placed.id::text END, 'market', placed.symbol, 'network', coalesce(sent.network, got.network), 'address', coalesce(sent.address, got.address),
        'transaction', coalesce(sent.transaction, got.transaction), 'fee', CASE WHEN correction.journal_id IS NULL THEN (
          SELECT sum(entry.amount)::text FROM trading.ledger_accounts AS fees JOIN trading.entries AS entry
            ON entry.account_id = fees.id AND entry.posted_at = page.posted_at AND entry.journal_id = page.journal_id
          WHERE fees.kind = 'FEES' AND fees.currency = $2 AND fees.synthetic = $3) END)
        ORDER BY page.posted_at, page.journal_id)
      FROM page JOIN trading.journals AS journal ON journal.id = page.journal_id AND journal.synthetic = $3
      LEFT JOIN trading.corrections AS correction ON correction.journal_id = journal.id
      LEFT JOIN trading.orders AS placed ON placed.id = CASE WHEN journal.cause LIKE 'order%' AND journal.cause_id LIKE '________-%' THEN journal.cause_id::uuid
        WHEN journal.cause = 'quote.execution' THEN (SELECT o.id FROM trading.orders o WHERE o.quote_id = journal.cause_id::uuid) END
      LEFT JOIN trading.withdrawals AS sent ON sent.id = CASE WHEN journal.cause LIKE 'withdrawal.%' THEN journal.cause_id::uuid END
      LEFT JOIN trading.deposits AS got ON got.id = CASE WHEN journal.cause LIKE 'deposit.%' THEN journal.cause_id::uuid END), '[]') AS movements`;

/** Reads the movements of a wallet in a period, oldest first, with its balances at both ends. */
export function readMovements({ manager }: Context, query: StatementQuery): Promise<StatementRow> {
  const { wallet, currency, from, to, limit } = query;
  const after = query.after ?? { postedAt: from, seen: 0 };
  return manager.one(text, [wallet.id, currency, wallet.synthetic, from, to, after.postedAt, after.seen, limit]);
}

export interface WalletRef {
  readonly id: string;
  readonly synthetic: boolean;
}

export type BalanceRow = Shape<Balance>;

export function listBalances({ manager }: Context, { id, synthetic }: WalletRef): Promise<BalanceRow[]> {
  return manager.rows(
    `SELECT currency.code AS currency, round(coalesce(available.balance, 0), decimals)::text AS available,
       round(coalesce(locked.balance, 0), decimals)::text AS locked,
       round(coalesce(available.balance, 0) + coalesce(locked.balance, 0), decimals)::text AS total
     FROM trading.currencies AS currency
     LEFT JOIN trading.ledger_accounts AS available ON ${accountOf('available', 'AVAILABLE')}
     LEFT JOIN trading.ledger_accounts AS locked ON ${accountOf('locked', 'LOCKED')}
     ORDER BY code`,
    [id, synthetic],
  );
}

/** Lists the balances of a wallet at a time, including postings at exactly that time. */
export function listBalancesAt({ manager }: Context, { id, synthetic }: WalletRef, asOf: Date): Promise<BalanceRow[]> {
  const last = (account: string) =>
    `coalesce((SELECT balance FROM trading.entries WHERE account_id = ${account}.id AND posted_at <= $3
       ORDER BY posted_at DESC LIMIT 1), 0)`;
  return manager.rows(
    `SELECT code AS currency, round(available, decimals)::text AS available, round(locked, decimals)::text AS locked,
       round(available + locked, decimals)::text AS total
     FROM (
       SELECT currency.code, currency.decimals, ${last('available')} AS available, ${last('locked')} AS locked
       FROM trading.currencies AS currency
       LEFT JOIN trading.ledger_accounts AS available ON ${accountOf('available', 'AVAILABLE')}
       LEFT JOIN trading.ledger_accounts AS locked ON ${accountOf('locked', 'LOCKED')}
     ) AS balance ORDER BY code`,
    [id, synthetic, asOf],
  );
}

/** Returns the available balances of wallets, one currency each, in their order; 0 for an account without postings. */
export function listAvailable(
  { manager }: Context,
  of: readonly { readonly walletId: string; readonly synthetic: boolean; readonly currency: string }[],
): Promise<string[]> {
  return manager.values(
    `SELECT coalesce(balance, 0) AS balance
     FROM unnest((SELECT $1::text[]), $2::text[], $3::boolean[]) WITH ORDINALITY AS wanted (owner, currency, synthetic, position)
     LEFT JOIN trading.ledger_accounts AS account ON account.owner = wanted.owner AND account.kind = 'AVAILABLE'
       AND account.currency = wanted.currency AND account.synthetic = wanted.synthetic AND account.stripe = 0
     ORDER BY position`,
    [of.map(({ walletId }) => walletId), of.map(({ currency }) => currency), of.map(({ synthetic }) => synthetic)],
  );
}

function accountOf(name: string, kind: 'AVAILABLE' | 'LOCKED'): string {
  return `${name}.owner = $1::text AND ${name}.kind = '${kind}' AND ${name}.currency = currency.code
    AND ${name}.synthetic = $2 AND ${name}.stripe = 0`;
}
