import { arraysOf, valuesOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Currency } from './currency.type.js';

export interface MarketRow {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly priceDecimals: number;
  readonly amountDecimals: number;
  readonly baseDecimals: number;
  /** In the base currency. */
  readonly minOrderSize: string;
  /** How far from the mid price a market order may trade, in percent. */
  readonly collarPercent: string;
  readonly status: 'ACTIVE' | 'HALTED';
  readonly haltReason: string | null;
}

export interface TradingSwitch {
  readonly halted: boolean;
  readonly reason: string | null;
  readonly changedAt: Date;
}

export const marketColumns = `symbol, base, quote, price_decimals AS "priceDecimals", amount_decimals AS "amountDecimals",
  (SELECT decimals FROM trading.currencies WHERE code = markets.base) AS "baseDecimals",
  trim_scale(min_order_size)::text AS "minOrderSize", trim_scale(collar_percent)::text AS "collarPercent", status,
  halt_reason AS "haltReason"`;

export function listMarketRows({ manager }: Context): Promise<MarketRow[]> {
  return manager.rows(`SELECT ${marketColumns} FROM trading.markets ORDER BY symbol`);
}

export function lockMarket({ manager }: Context, symbol: string): Promise<MarketRow | undefined> {
  return manager.row(`SELECT ${marketColumns} FROM trading.markets WHERE symbol = $1 FOR UPDATE`, [symbol]);
}

export async function saveMarket({ manager, clock }: Context, row: MarketRow): Promise<void> {
  await manager.execute(
    `UPDATE trading.markets SET min_order_size = $2, collar_percent = $3, status = $4, halt_reason = $5, updated_at = $6
     WHERE symbol = $1`,
    [row.symbol, row.minOrderSize, row.collarPercent, row.status, row.haltReason, clock.now()],
  );
}

/** Inserts a market; returns false if the symbol exists. */
export async function insertMarket({ manager, clock }: Context, row: MarketRow): Promise<boolean> {
  return manager.changes(
    `INSERT INTO trading.markets
       (symbol, base, quote, price_decimals, amount_decimals, min_order_size, collar_percent, status, halt_reason, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
    [
      ...valuesOf(row, 'symbol', 'base', 'quote', 'priceDecimals', 'amountDecimals', 'minOrderSize', 'collarPercent'),
      ...valuesOf(row, 'status', 'haltReason'),
      clock.now(),
    ],
  );
}

/** Inserts markets if there are none; otherwise does nothing. */
export async function addFirstMarkets(
  { manager, clock }: Context,
  rows: readonly Omit<MarketRow, 'baseDecimals' | 'status' | 'haltReason'>[],
): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.markets
       (symbol, base, quote, price_decimals, amount_decimals, min_order_size, collar_percent, status, updated_at)
     SELECT base || '/' || quote, base, quote, price_decimals, amount_decimals, min_order_size, collar_percent, 'ACTIVE', $7
     FROM unnest($1::text[], $2::text[], $3::smallint[], $4::smallint[], $5::numeric[], $6::numeric[])
       AS market (base, quote, price_decimals, amount_decimals, min_order_size, collar_percent)
     WHERE NOT EXISTS (SELECT FROM trading.markets)
     ON CONFLICT DO NOTHING`,
    [
      ...arraysOf(rows, 'base', 'quote', 'priceDecimals', 'amountDecimals', 'minOrderSize', 'collarPercent'),
      clock.now(),
    ],
  );
}

const switchColumns = 'halted, reason, changed_at AS "changedAt"';

export function readTradingSwitch({ manager }: Context): Promise<TradingSwitch> {
  return manager.one(`SELECT ${switchColumns} FROM trading.trading_switch`);
}

export function lockTradingSwitch({ manager }: Context): Promise<TradingSwitch> {
  return manager.one(`SELECT ${switchColumns} FROM trading.trading_switch FOR UPDATE`);
}

/** @param reason why trading is halted; null resumes it */
export async function saveTradingSwitch({ manager, clock }: Context, reason: string | null): Promise<void> {
  await manager.execute(
    'UPDATE trading.trading_switch SET halted = $1::text IS NOT NULL, reason = $1, changed_at = $2',
    [reason, clock.now()],
  );
}

export type CurrencyRow = Shape<Currency>;

export function listCurrencies({ manager }: Context): Promise<CurrencyRow[]> {
  return manager.rows('SELECT code, decimals, fiat FROM trading.currencies ORDER BY code');
}

export async function insertCurrency({ manager }: Context, { code, decimals, fiat }: CurrencyRow): Promise<boolean> {
  return manager.changes(
    'INSERT INTO trading.currencies (code, decimals, fiat) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [code, decimals, fiat],
  );
}
