import type { Context } from '../../../shared/context.js';
import type { OwnWallet } from '../profiles/wallet.store.js';
import type { Side } from '../venues/venue.js';
import { quoteTtlSeconds, type Exposure, type QuoteState } from './quote.js';
import type { SpreadTier } from './spread.js';

/** A quote that is to be stored. Amounts are decimal text. */
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
  readonly quoteAmount: string;
  readonly fee: string;
  readonly makerFee: string;
  readonly takerFee: string;
  readonly bookValue: string;
  readonly spread: string;
  readonly valueBrl: string;
}

/** A quote as it is stored, and as it stands by the database's clock. */
export interface QuoteRow extends NewQuote {
  readonly state: QuoteState;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The order that executed it. */
  readonly orderId: string | null;
}

/** A quote that the transaction under way executes. */
export interface ClaimedQuote extends Omit<QuoteRow, 'orderId'> {
  readonly executedAt: Date;
  readonly decision: unknown;
  /** Whose webhooks are told: the account of the company, or the company's own id where it has none. */
  readonly ownerId: string;
}

const columns = `q.id, q.company_id AS "companyId", q.wallet_id AS "walletId", q.synthetic, q.symbol, q.base, q.quote, q.side, q.amount,
  q.quote_amount AS "quoteAmount", q.fee, q.maker_fee AS "makerFee", q.taker_fee AS "takerFee", q.book_value AS "bookValue", q.spread,
  q.value_brl AS "valueBrl", q.created_at AS "createdAt", q.expires_at AS "expiresAt"`;

/** What a quote of a company is made by. Fees in percent of the value, values in BRL. */
export interface QuoteTerms {
  readonly makerFee: string;
  readonly takerFee: string;
  readonly maxQuotedValue: string;
  /** The company's own tiers, the lowest first; none where it has those of the house. */
  readonly tiers: readonly SpreadTier[];
}

export async function readQuoteTerms({ manager }: Context, companyId: string): Promise<QuoteTerms> {
  const [terms]: QuoteTerms[] = await manager.query(
    `SELECT maker_fee AS "makerFee", taker_fee AS "takerFee", max_quoted_value AS "maxQuotedValue",
       coalesce((SELECT jsonb_agg(jsonb_build_object('aboveBrl', above_brl::text, 'percent', percent::text) ORDER BY above_brl)
                 FROM trading.spread_tiers AS tier WHERE tier.company_id = terms.company_id), '[]') AS tiers
     FROM trading.company_terms AS terms WHERE company_id = $1`,
    [companyId],
  );
  if (terms === undefined) throw new Error(`Nothing is agreed with the company ${companyId}`);
  return terms;
}

/**
 * What the open quotes of a company come to, and what was executed of them and is not hedged yet. Until the transaction ends, none of its
 * quotes is added elsewhere.
 */
export async function lockExposure(
  { manager }: Context,
  { companyId, walletId, synthetic, symbol }: Pick<NewQuote, 'companyId' | 'walletId' | 'synthetic' | 'symbol'>,
): Promise<Exposure> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 8))', [companyId]);
  const [exposure]: Exposure[] = await manager.query(
    `SELECT (SELECT count(*)::integer FROM trading.quotes
             WHERE wallet_id = $2 AND state = 'OPEN' AND expires_at > statement_timestamp()) AS "openQuotes",
       (SELECT coalesce(sum(value_brl), 0) FROM trading.quotes
        WHERE company_id = $1 AND symbol = $4 AND synthetic = $3 AND state = 'OPEN'
          AND expires_at > statement_timestamp()) +
       (SELECT coalesce(sum(q.value_brl * greatest(0, q.amount - h.hedged_amount) / q.amount), 0)
        FROM trading.hedges AS h JOIN trading.quotes AS q ON q.id = h.quote_id
        WHERE h.state = 'OPEN' AND h.synthetic = $3 AND q.company_id = $1 AND q.symbol = $4) AS "quotedValue"`,
    [companyId, walletId, synthetic, symbol],
  );
  if (exposure === undefined) throw new Error('The database did not say what is quoted');
  return exposure;
}

/** Adds a quote, valid from now on by the database's clock; returns since when and until when. */
export async function insertQuote(
  { manager }: Context,
  row: NewQuote,
  decision: unknown,
): Promise<Pick<QuoteRow, 'createdAt' | 'expiresAt'>> {
  const [times]: Pick<QuoteRow, 'createdAt' | 'expiresAt'>[] = await manager.query(
    `INSERT INTO trading.quotes (id, company_id, wallet_id, synthetic, symbol, base, quote, side, amount, quote_amount, fee, maker_fee,
       taker_fee, book_value, spread, value_brl, decision, state, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17::jsonb, 'OPEN', statement_timestamp(),
       statement_timestamp() + make_interval(secs => $18))
     RETURNING created_at AS "createdAt", expires_at AS "expiresAt"`,
    [
      row.id,
      row.companyId,
      row.walletId,
      row.synthetic,
      row.symbol,
      row.base,
      row.quote,
      row.side,
      row.amount,
      row.quoteAmount,
      row.fee,
      row.makerFee,
      row.takerFee,
      row.bookValue,
      row.spread,
      row.valueBrl,
      JSON.stringify(decision),
      quoteTtlSeconds,
    ],
  );
  if (times === undefined) throw new Error('The database did not keep a quote');
  return times;
}

/** A quote of a wallet; undefined where the wallet has none of this id. */
export async function findQuote(
  { manager }: Context,
  wallet: Pick<OwnWallet, 'id' | 'synthetic'>,
  id: string,
): Promise<QuoteRow | undefined> {
  const [row]: QuoteRow[] = await manager.query(
    `SELECT ${columns}, CASE WHEN state = 'OPEN' AND q.expires_at <= clock_timestamp() THEN 'EXPIRED' ELSE state END AS state,
       (SELECT o.id FROM trading.orders AS o WHERE o.quote_id = q.id) AS "orderId"
     FROM trading.quotes AS q WHERE q.id = $1 AND q.wallet_id = $2 AND q.synthetic = $3`,
    [id, wallet.id, wallet.synthetic],
  );
  return row;
}

/**
 * Takes a quote that is open, and not expired by the database's clock, for the transaction under way; whoever else wants it waits for the
 * end of that. Undefined where there is no such quote of the wallet.
 */
export async function claimQuote(
  { manager }: Context,
  wallet: Pick<OwnWallet, 'id' | 'synthetic'>,
  id: string,
): Promise<ClaimedQuote | undefined> {
  const [[row]]: [ClaimedQuote[], number] = await manager.query(
    `UPDATE trading.quotes AS q SET state = 'EXECUTED', executed_at = least(clock_timestamp(), q.expires_at)
     WHERE q.id = $1 AND q.wallet_id = $2 AND q.synthetic = $3 AND q.state = 'OPEN' AND q.expires_at > clock_timestamp()
     RETURNING ${columns}, q.state, q.executed_at AS "executedAt", q.decision,
       (SELECT coalesce(account_id, c.id::text) FROM trading.companies AS c WHERE c.id = q.company_id) AS "ownerId"`,
    [id, wallet.id, wallet.synthetic],
  );
  return row;
}

/** Deletes quotes that expired a day ago unexecuted, some at a time; returns how many it deleted. */
export async function deleteExpired({ manager }: Context, limit: number): Promise<number> {
  const [, deleted]: [unknown, number] = await manager.query(
    `DELETE FROM trading.quotes WHERE id IN (
       SELECT id FROM trading.quotes WHERE state = 'OPEN' AND expires_at < clock_timestamp() - interval '1 day'
       ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
  return deleted;
}
