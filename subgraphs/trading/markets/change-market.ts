import type { ActName } from '../../../shared/security/audit/acts.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/kernel/errors.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { collarIssues, minimumIssues } from './market-rules.js';
import { lockMarket, saveMarket, type MarketRow } from './market.store.js';
import type { MarketChangeInput } from './market.type.js';

/**
 * Changes the rules of a market, for orders placed from then on.
 * @throws {ApiError} BAD_REQUEST with every error; NOT_FOUND for an unknown market
 */
export function changeMarket(context: Context, symbol: string, change: MarketChangeInput): Promise<MarketRow> {
  return update(context, 'changeMarket', symbol, (before) => {
    const minOrderSize = change.minOrderSize ?? before.minOrderSize;
    const collarPercent = change.collarPercent ?? before.collarPercent;
    refuse('BAD_REQUEST', [...minimumIssues(minOrderSize, before.amountDecimals), ...collarIssues(collarPercent)]);
    return { ...before, minOrderSize, collarPercent };
  });
}

/**
 * Stops new orders in a market; open ones can be cancelled. A repetition changes the reason.
 * @throws {ApiError} BAD_REQUEST for the reason; NOT_FOUND for an unknown market
 */
export function haltMarket(context: Context, symbol: string, reason: string): Promise<MarketRow> {
  const haltReason = requireReason(reason);
  return update(context, 'haltMarket', symbol, (before) => ({ ...before, status: 'HALTED', haltReason }));
}

/**
 * Accepts orders in a market again. A repetition changes nothing.
 * @throws {ApiError} NOT_FOUND for an unknown market
 */
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
