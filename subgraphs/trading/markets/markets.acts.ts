import type { ActName } from '../../../shared/registry.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, type ErrorDetail, unless, errorAt } from '../../../shared/kernel/errors.js';
import {
  insertCurrency,
  type CurrencyRow,
  listCurrencies,
  insertMarket,
  type MarketRow,
  lockMarket,
  saveMarket,
  lockTradingSwitch,
  readTradingSwitch,
  saveTradingSwitch,
  type TradingSwitch,
} from './market.store.js';
import { usualCollarPercent, type MarketInput, type MarketChangeInput } from './market.type.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { Decimal } from '../../../shared/kernel/decimal.js';

/** Its decimals never change, since balances use them. @throws {ApiError} BAD_REQUEST with every error; CONFLICT if the currency exists */
export async function addCurrency(context: Context, row: CurrencyRow): Promise<CurrencyRow> {
  const { code, decimals } = row;
  const isCode = /^[A-Z0-9]{2,12}$/.test(code);
  refuse('BAD_REQUEST', [
    ...unless(isCode, errorAt('code', 'CURRENCY_CODE', { min: 2, max: 12 })),
    ...unless(
      decimals >= 0 && decimals <= maxCurrencyDecimals,
      errorAt('decimals', 'NUMBER_RANGE', { min: 0, max: maxCurrencyDecimals }),
    ),
  ]);
  return inTransaction(context, async (tx) => {
    if (!(await insertCurrency(tx, row)))
      throw new ApiError('CONFLICT', { message: `The currency ${code} already exists` });
    await recordAudit(tx, { action: 'addCurrency', subject: { type: 'currency', id: code }, after: row });
    return row;
  });
}

const maxCurrencyDecimals = 18;

const maxDecimals = 18;

/** Adds a market, halted until an operator resumes it. @throws {ApiError} BAD_REQUEST with every error; CONFLICT if the market exists */
export async function addMarket(context: Context, market: MarketInput): Promise<MarketRow> {
  const currencies = new Map((await listCurrencies(context)).map((currency) => [currency.code, currency]));
  refuse('BAD_REQUEST', marketIssues(market, currencies));
  const { symbol, priceDecimals, amountDecimals, minOrderSize, collarPercent } = market;
  const [base = '', quote = ''] = symbol.split('/');
  const row: MarketRow = {
    symbol,
    base,
    quote,
    priceDecimals,
    amountDecimals,
    baseDecimals: currencies.get(base)?.decimals ?? 0,
    minOrderSize,
    collarPercent: collarPercent ?? usualCollarPercent,
    status: 'HALTED',
    haltReason: 'The market is new and not yet open',
  };
  return inTransaction(context, async (tx) => {
    if (!(await insertMarket(tx, row)))
      throw new ApiError('CONFLICT', { message: `The market ${symbol} already exists` });
    await recordAudit(tx, { action: 'addMarket', subject: { type: 'market', id: symbol }, after: row });
    return row;
  });
}

function marketIssues(market: MarketInput, currencies: ReadonlyMap<string, CurrencyRow>): ErrorDetail[] {
  const { symbol, priceDecimals, amountDecimals, minOrderSize, collarPercent } = market;
  const [base = '', quote = '', ...more] = symbol.split('/');
  const isPair = more.length === 0 && base !== quote && currencies.has(base) && currencies.has(quote);
  // A client's amount has no more decimals than its currency.
  const most = currencies.get(base)?.decimals ?? maxDecimals;
  return [
    ...unless(isPair, errorAt('symbol', 'MARKET_SYMBOL', { known: [...currencies.keys()].join(', ') })),
    ...decimalsIssues('priceDecimals', priceDecimals, maxDecimals),
    ...decimalsIssues('amountDecimals', amountDecimals, most),
    ...minimumIssues(minOrderSize, amountDecimals),
    ...(collarPercent == null ? [] : collarIssues(collarPercent)),
  ];
}

function decimalsIssues(path: string, decimals: number, most: number): ErrorDetail[] {
  const isRight = Number.isInteger(decimals) && decimals >= 0 && decimals <= most;
  return unless(isRight, errorAt(path, 'NUMBER_RANGE', { min: 0, max: most }));
}

/** Holds for orders placed from then on. @throws {ApiError} BAD_REQUEST with every error; NOT_FOUND */
export function changeMarket(context: Context, symbol: string, change: MarketChangeInput): Promise<MarketRow> {
  return update(context, 'changeMarket', symbol, (before) => {
    const minOrderSize = change.minOrderSize ?? before.minOrderSize;
    const collarPercent = change.collarPercent ?? before.collarPercent;
    refuse('BAD_REQUEST', [...minimumIssues(minOrderSize, before.amountDecimals), ...collarIssues(collarPercent)]);
    return { ...before, minOrderSize, collarPercent };
  });
}

/** Open orders can be cancelled. A repetition changes the reason. @throws {ApiError} BAD_REQUEST for the reason; NOT_FOUND */
export function haltMarket(context: Context, symbol: string, reason: string): Promise<MarketRow> {
  const haltReason = requireReason(reason);
  return update(context, 'haltMarket', symbol, (before) => ({ ...before, status: 'HALTED', haltReason }));
}

/** A repetition changes nothing. @throws {ApiError} NOT_FOUND */
export function resumeMarket(context: Context, symbol: string): Promise<MarketRow> {
  return update(context, 'resumeMarket', symbol, (before) => ({ ...before, status: 'ACTIVE', haltReason: null }));
}

function update(
  context: Context,
  action: ActName,
  symbol: string,
  change: (before: MarketRow) => MarketRow,
): Promise<MarketRow> {
  return inTransaction(context, async (tx) => {
    const before = await lockMarket(tx, symbol);
    if (before === undefined) throw new ApiError('NOT_FOUND', { message: `There is no market ${symbol}` });
    const after = change(before);
    await saveMarket(tx, after);
    await recordAudit(tx, { action, subject: { type: 'market', id: symbol }, before, after });
    return after;
  });
}

/** This is the kill switch, for real and synthetic markets. A repetition changes the reason. @throws {ApiError} BAD_REQUEST for the reason */
export function haltTrading(context: Context, reason: string): Promise<TradingSwitch> {
  return turn(context, 'haltTrading', requireReason(reason));
}

/** Accepts orders again, except in markets that are halted themselves. A repetition changes nothing. */
export function resumeTrading(context: Context): Promise<TradingSwitch> {
  return turn(context, 'resumeTrading', null);
}

function turn(context: Context, action: ActName, reason: string | null): Promise<TradingSwitch> {
  return inTransaction(context, async (tx) => {
    const before = await lockTradingSwitch(tx);
    await saveTradingSwitch(tx, reason);
    const after = await readTradingSwitch(tx);
    await recordAudit(tx, { action, subject: { type: 'trading', id: 'switch' }, before, after });
    return after;
  });
}

function minimumIssues(text: string, decimals: number): ErrorDetail[] {
  const value = new Decimal(text);
  const isRight = value.greaterThan(0) && value.decimalPlaces() <= decimals;
  return unless(isRight, errorAt('minOrderSize', 'AMOUNT_DECIMALS', { decimals }));
}

function collarIssues(text: string): ErrorDetail[] {
  const value = new Decimal(text);
  const isRight = value.greaterThan(0) && value.lessThanOrEqualTo(50);
  return unless(isRight, errorAt('collarPercent', 'AMOUNT_AT_MOST', { max: 50 }));
}
