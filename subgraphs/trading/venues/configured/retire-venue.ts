import { recordAudit } from '../../../../shared/audit/record.js';
import type { Context } from '../../../../shared/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { ApiError } from '../../../../shared/errors.js';
import { markRetired, type ConfiguredVenueRow } from './venue.store.js';

/**
 * Stops new orders to an exchange, within seconds and for good. Earlier orders are looked up and cancelled there as long as
 * any of them is open.
 * @throws {ApiError} NOT_FOUND if no venue with this name is in use
 */
export async function retireVenue(context: Context, name: string): Promise<ConfiguredVenueRow> {
  return inTransaction(context, async (tx) => {
    const after = await markRetired(tx, name);
    if (after === undefined) throw new ApiError('NOT_FOUND', { message: `There is no venue ${name} in use` });
    const before = { ...after, retiredAt: null };
    await recordAudit(tx, { action: 'retireTradingVenue', subject: { type: 'tradingVenue', id: name }, before, after });
    return after;
  });
}
