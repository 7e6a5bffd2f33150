import type { Context } from '../../../shared/context.js';
import type { WalletRef } from './balance.store.js';

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
