import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, type ErrorDetail } from '../../../shared/kernel/errors.js';
import { errorAt } from '../../../shared/kernel/rule-error.js';
import { unless } from '../../../shared/kernel/unless.js';
import { listCurrencies, type CurrencyRow, insertMarket, type MarketRow } from './market.store.js';
import { collarIssues, minimumIssues, usualCollarPercent } from './market-rules.js';
import type { MarketInput } from './market.type.js';

const maxDecimals = 18;

/**
 * Adds a market of two currencies. It is halted until an operator resumes it.
 * @throws {ApiError} BAD_REQUEST with every error; CONFLICT if the market exists
 */
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
