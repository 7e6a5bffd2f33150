import type { ActName } from '../../../shared/security/audit/acts.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { lockTradingSwitch, readTradingSwitch, saveTradingSwitch, type TradingSwitch } from './market.store.js';

/**
 * The kill switch: accepts no new orders in any market, real or synthetic. A repetition changes the reason.
 * @throws {ApiError} BAD_REQUEST for the reason
 */
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
