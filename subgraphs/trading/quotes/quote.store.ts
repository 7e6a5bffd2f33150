import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import { readTogether, type Reads } from '../../../shared/database/read-together.js';
import type { OwnWallet } from '../profiles/profile.store.js';
import type { Side, Book, Level } from '../venues/venue.js';
import { quoteTtlSeconds, type Exposure, type QuoteState, type SpreadTier } from './quote.js';
import { Decimal } from '../../../shared/kernel/decimal.js';

/** A quote to insert. Amounts are decimal text. */
export interface NewQuote {
  readonly id: string;
  readonly companyId: string;
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly side: Side;
  readonly amount: string;
  readonly price: string;
  /** Price × amount, without the fee. */
  readonly value: string;
  readonly fee: string;
  readonly makerFee: string;
  readonly takerFee: string;
  readonly bookValue: string;
  readonly spread: string;
  readonly valueBrl: string;
  /** Decimals of the currencies, and of a price in the market. */
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly priceDecimals: number;
}

/** A stored quote, with its state by the database's clock. */
export interface QuoteRow extends NewQuote {
  readonly state: QuoteState;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly orderId: string | null;
}

export interface Claim {
  readonly executedAt: Date;
  /** The account whose webhooks receive its events: the company's account, or the company's own id if it has none. */
  readonly ownerId: string;
}

const columns = `q.id, q.company_id AS "companyId", q.wallet_id AS "walletId", q.synthetic, q.symbol, q.base, q.quote, q.side, q.amount,
  q.price, q.quote_amount AS value, q.fee, q.maker_fee AS "makerFee", q.taker_fee AS "takerFee", q.book_value AS "bookValue", q.spread,
  q.value_brl AS "valueBrl", q.created_at AS "createdAt", q.expires_at AS "expiresAt",
  (SELECT decimals FROM trading.currencies WHERE code = q.base) AS "baseDecimals",
  (SELECT decimals FROM trading.currencies WHERE code = q.quote) AS "quoteDecimals",
  (SELECT price_decimals FROM trading.markets WHERE markets.symbol = q.symbol) AS "priceDecimals"`;

/** The terms of a company's quotes. Fees in percent of the value, values in BRL. */
export interface QuoteTerms {
  readonly makerFee: string;
  readonly takerFee: string;
  readonly maxQuotedValue: string;
  /** The company's own tiers, lowest first; none where the default tiers apply. */
  readonly tiers: readonly SpreadTier[];
}

const termsOf = readTogether<QuoteTerms>(async ({ manager }, companyIds) => {
  const rows = await manager.rows<QuoteTerms & { companyId: string }>(
    `SELECT terms.company_id AS "companyId", maker_fee AS "makerFee", taker_fee AS "takerFee", max_quoted_value AS "maxQuotedValue",
       coalesce((SELECT jsonb_agg(jsonb_build_object('aboveBrl', above_brl::text, 'percent', percent::text) ORDER BY above_brl)
                 FROM trading.spread_tiers AS tier WHERE tier.company_id = terms.company_id), '[]') AS tiers
     FROM unnest((SELECT $1::uuid[])) AS wanted (id) JOIN trading.company_terms AS terms ON terms.company_id = wanted.id`,
    [companyIds],
  );
  return new Map(rows.map((row) => [row.companyId, row]));
});

export async function readQuoteTerms(context: Context, companyId: string): Promise<QuoteTerms> {
  const terms = await termsOf(context, companyId);
  if (terms === undefined) throw new Error(`The company ${companyId} has no terms`);
  return terms;
}

/** Returns exposures in the order of the quotes to insert. Until the transaction ends no other one adds quotes of these companies; the order of locks is the same everywhere. */
export async function lockExposures({ manager }: Context, adding: readonly NewQuote[]): Promise<Exposure[]> {
  const companyIds = [...new Set(adding.map(({ companyId }) => companyId))].sort();
  await manager.execute(
    'SELECT pg_advisory_xact_lock(hashtextextended(id, 8)) FROM unnest((SELECT $1::text[])) AS company (id)',
    [companyIds],
  );
  return manager.rows(
    `WITH unhedged AS MATERIALIZED (
       SELECT q.company_id, q.symbol, h.synthetic, sum(q.value_brl * greatest(0, q.amount - h.hedged_amount) / q.amount) AS value
       FROM trading.hedges AS h JOIN trading.quotes AS q ON q.id = h.quote_id WHERE h.state = 'OPEN' GROUP BY 1, 2, 3
     )
     SELECT (SELECT count(*)::integer FROM trading.quotes AS q
             WHERE q.wallet_id = given.wallet_id AND state = 'OPEN' AND expires_at > statement_timestamp()) AS "openQuotes",
       (SELECT coalesce(sum(value_brl), 0) FROM trading.quotes AS q
        WHERE q.company_id = given.company_id AND q.symbol = given.symbol AND q.synthetic = given.synthetic AND state = 'OPEN'
          AND expires_at > statement_timestamp()) + coalesce(unhedged.value, 0) AS "quotedValue"
     FROM unnest((SELECT $1::uuid[]), $2::uuid[], $3::boolean[], $4::text[]) WITH ORDINALITY
       AS given (company_id, wallet_id, synthetic, symbol, place)
     LEFT JOIN unhedged USING (company_id, synthetic, symbol) ORDER BY place`,
    [...arraysOf(adding, 'companyId', 'walletId', 'synthetic', 'symbol')],
  );
}

/** Inserts quotes, valid from now on by the database's clock; returns their periods of validity by id. */
export async function insertQuotes(
  { manager }: Context,
  adding: readonly { readonly row: NewQuote; readonly decision: unknown }[],
): Promise<Map<string, Pick<QuoteRow, 'createdAt' | 'expiresAt'>>> {
  if (adding.length === 0) return new Map();
  const all = <Value>(of: (row: NewQuote) => Value) => adding.map(({ row }) => of(row));
  const rows = await manager.rows<Pick<QuoteRow, 'id' | 'createdAt' | 'expiresAt'>>(
    `INSERT INTO trading.quotes (id, company_id, wallet_id, synthetic, symbol, base, quote, side, amount, price, quote_amount, fee, maker_fee,
       taker_fee, book_value, spread, value_brl, decision, state, created_at, expires_at)
     SELECT given.*, 'OPEN', statement_timestamp(), statement_timestamp() + make_interval(secs => $18)
     FROM ROWS FROM (unnest((SELECT $1::uuid[])), unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::boolean[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::text[]), unnest($8::text[]), unnest($9::numeric[]), unnest($10::numeric[]), unnest($11::numeric[]),
       unnest($12::numeric[]), unnest($13::numeric[]), unnest($14::numeric[]), unnest($15::numeric[]), unnest($16::numeric[]), unnest($17::numeric[]),
       jsonb_array_elements($19::jsonb)) AS given
     RETURNING id, created_at AS "createdAt", expires_at AS "expiresAt"`,
    [
      all(({ id }) => id),
      all(({ companyId }) => companyId),
      all(({ walletId }) => walletId),
      all(({ synthetic }) => synthetic),
      all(({ symbol }) => symbol),
      all(({ base }) => base),
      all(({ quote }) => quote),
      all(({ side }) => side),
      all(({ amount }) => amount),
      all(({ price }) => price),
      all(({ value }) => value),
      all(({ fee }) => fee),
      all(({ makerFee }) => makerFee),
      all(({ takerFee }) => takerFee),
      all(({ bookValue }) => bookValue),
      all(({ spread }) => spread),
      all(({ valueBrl }) => valueBrl),
      quoteTtlSeconds,
      JSON.stringify(adding.map(({ decision }) => decision)),
    ],
  );
  return new Map(rows.map(({ id, ...times }) => [id, times]));
}

const byId = readTogether<QuoteRow>(async ({ manager }, ids) => {
  const rows = await manager.rows<QuoteRow>(
    `SELECT ${columns}, CASE WHEN state = 'OPEN' AND q.expires_at <= clock_timestamp() THEN 'EXPIRED' ELSE state END AS state,
       (SELECT o.id FROM trading.orders AS o WHERE o.quote_id = q.id) AS "orderId"
     FROM unnest((SELECT $1::uuid[])) AS wanted (id) JOIN trading.quotes AS q ON q.id = wanted.id`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

export async function findQuote(
  context: Context,
  wallet: Pick<OwnWallet, 'id' | 'synthetic'>,
  id: string,
): Promise<QuoteRow | undefined> {
  const row = await byId(context, id.toLowerCase());
  return row?.walletId === wallet.id && row.synthetic === wallet.synthetic ? row : undefined;
}

/** Claims quotes in one statement, with their hedges. Concurrent claims wait for its end; the order of locks is the same in every transaction. @returns the claimed quotes, by id */
export async function claimQuotes({ manager }: Context, ids: readonly string[]): Promise<Map<string, Claim>> {
  if (ids.length === 0) return new Map();
  const rows = await manager.rows<Claim & { id: string }>(
    `WITH wanted AS MATERIALIZED (
       SELECT q.id FROM unnest((SELECT $1::uuid[])) AS given (id) JOIN trading.quotes AS q ON q.id = given.id
       ORDER BY q.id FOR NO KEY UPDATE OF q
     ), claimed AS (
       UPDATE trading.quotes AS q SET state = 'EXECUTED', executed_at = least(clock_timestamp(), q.expires_at) FROM wanted
       WHERE q.id = wanted.id AND q.state = 'OPEN' AND q.expires_at > clock_timestamp()
       RETURNING q.id, q.synthetic, q.company_id, q.executed_at
     ), hedged AS (
       INSERT INTO trading.hedges (quote_id, synthetic, state, due_at) SELECT id, synthetic, 'OPEN', clock_timestamp() FROM claimed
     )
     SELECT claimed.id, executed_at AS "executedAt", coalesce(account_id, company.id::text) AS "ownerId"
     FROM claimed JOIN trading.companies AS company ON company.id = company_id`,
    [ids],
  );
  return new Map(rows.map(({ id, ...claim }) => [id, claim]));
}

export function deleteExpired({ manager }: Context, limit: number): Promise<number> {
  return manager.execute(
    `WITH expired AS MATERIALIZED (
       SELECT id FROM trading.quotes WHERE state = 'OPEN' AND expires_at < clock_timestamp() - interval '1 day'
       ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     DELETE FROM trading.quotes USING expired WHERE quotes.id = expired.id`,
    [limit],
  );
}

/** The amount of clients' orders that a book may contain at one price. Decimal text. */
export interface RestingLevel {
  readonly venue: string;
  readonly side: Side;
  readonly price: string;
  readonly amount: string;
}

/** A side of a book: only orders within its prices can be in it. */
interface ShownSide {
  readonly venue: string;
  readonly side: Side;
  readonly low: string;
  readonly high: string;
  readonly at: string;
}

/** Books of about the same time share a read. */
const sameTimeMs = 250;

/** Returns, of orders that rest, or may rest, the part not known to be filled; and whole those that ended since a book was read. Orders at other prices than the books' are left out. */
export async function restingIn(
  reads: Reads,
  { symbol, synthetic }: { readonly symbol: string; readonly synthetic: boolean },
  books: readonly Pick<Book, 'venue' | 'bids' | 'asks' | 'at'>[],
): Promise<readonly RestingLevel[]> {
  const sides = books.flatMap(({ venue, bids, asks, at }) => {
    const earliest = new Date(Math.floor(at.getTime() / sameTimeMs) * sameTimeMs).toISOString();
    return [...rangeOf('BUY', bids), ...rangeOf('SELL', asks)].map((one) => ({ venue, at: earliest, ...one }));
  });
  if (sides.length === 0) return [];
  return (await restingOf(reads, JSON.stringify({ symbol, synthetic, sides } satisfies Wanted))) ?? [];
}

function rangeOf(side: Side, levels: readonly Level[]): Pick<ShownSide, 'side' | 'low' | 'high'>[] {
  if (levels.length === 0) return [];
  const prices = levels.map(({ price }) => price);
  return [{ side, low: Decimal.min(...prices).toFixed(), high: Decimal.max(...prices).toFixed() }];
}

interface Wanted {
  readonly symbol: string;
  readonly synthetic: boolean;
  readonly sides: readonly ShownSide[];
}

const restingOf = readTogether<readonly RestingLevel[]>(async ({ manager }, keys) => {
  const wanted = keys.flatMap((key, position) => {
    const { sides, ...market } = JSON.parse(key) as Wanted;
    return sides.map((side) => ({ position, ...market, ...side }));
  });
  const rows = await manager.rows<{ position: number; levels: RestingLevel[] }>(
    `WITH wanted AS (
       SELECT * FROM unnest((SELECT $1::integer[]), $2::text[], $3::boolean[], $4::text[], $5::text[], $6::numeric[], $7::numeric[],
         $8::timestamptz[]) AS wanted (position, symbol, synthetic, venue, side, low, high, at)
     ), resting AS (
       SELECT position, wanted.venue, wanted.side, limit_price,
         CASE WHEN updated_at >= at THEN amount ELSE amount - filled_amount END AS amount
       FROM wanted JOIN trading.executions AS one USING (symbol, synthetic, venue, side)
       WHERE one.state IN ('SENDING', 'OPEN', 'UNKNOWN') AND one.time_in_force = 'GTC' AND limit_price BETWEEN low AND high
       UNION ALL
       SELECT position, wanted.venue, wanted.side, limit_price, amount
       FROM wanted JOIN trading.executions AS one USING (symbol, synthetic, venue, side)
       WHERE one.state IN ('FILLED', 'CANCELLED') AND one.time_in_force = 'GTC' AND updated_at >= at AND limit_price BETWEEN low AND high
     )
     SELECT position, json_agg(json_build_object('venue', venue, 'side', side, 'price', limit_price::text, 'amount', amount::text)) AS levels
     FROM (SELECT position, venue, side, limit_price, sum(amount) AS amount FROM resting GROUP BY position, venue, side, limit_price) AS level
     GROUP BY position`,
    [...arraysOf(wanted, 'position', 'symbol', 'synthetic', 'venue', 'side', 'low', 'high', 'at')],
  );
  return new Map(rows.map(({ position, levels }) => [keys[position] ?? '', levels]));
});
