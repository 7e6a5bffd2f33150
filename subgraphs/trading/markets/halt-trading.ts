import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { requireReason } from '../../../shared/reason.js';
import { lockTradingSwitch, readTradingSwitch, saveTradingSwitch, type TradingSwitch } from './market.store.js';

/**
 * The kill switch: takes no new orders in any market, real or synthetic. Doing it again changes the reason.
 * @throws {ApiError} BAD_REQUEST for the reason
 */
export function haltTrading(context: Context, reason: string): Promise<TradingSwitch> {
  return turn(context, 'haltTrading', requireReason(reason));
}

/** Takes orders again, but for markets that are halted by themselves. Doing it again changes nothing. */
export function resumeTrading(context: Context): Promise<TradingSwitch> {
  return turn(context, 'resumeTrading', null);
}

function turn(context: Context, action: string, reason: string | null): Promise<TradingSwitch> {
  return inTransaction(context, async (tx) => {
    const before = await lockTradingSwitch(tx);
    await saveTradingSwitch(tx, reason);
    const after = await readTradingSwitch(tx);
    await recordAudit(tx, { action, subject: { type: 'trading', id: 'switch' }, before, after });
    return after;
  });
}
