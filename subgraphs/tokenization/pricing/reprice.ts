import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Fault } from '../../../shared/errors.js';
import { lockTranche } from '../tranches/tranche-acts.store.js';
import { forgetProgress } from './priced-series.store.js';
import { repriceAll, type RepriceOutcome } from './reprice-all.js';

/**
 * Makes the prices that are due now instead of at the next look: of one series from its start, or of all.
 * @throws {Fault} NOT_FOUND for a ticker of no series, CONFLICT for one that has no prices (DRAFT, CLOSED), UNPROCESSABLE when
 *   some series could not be priced, after the others were
 */
export async function reprice(context: Context, calendar: Calendar, ticker?: string): Promise<RepriceOutcome> {
  const only = ticker === undefined ? undefined : await startAnew(context, ticker);
  try {
    return await repriceAll(context, { calendar, ...(only === undefined ? {} : { only }) });
  } catch (error) {
    if (error instanceof AggregateError) throw new Fault('UNPROCESSABLE', { message: error.message, cause: error });
    throw error;
  }
}

async function startAnew(context: Context, ticker: string): Promise<string> {
  return inTransaction(context, async (tx) => {
    const { id, status } = await lockTranche(tx, ticker);
    if (status === 'DRAFT' || status === 'CLOSED') {
      throw new Fault('CONFLICT', { message: `A series that is ${status} is not priced` });
    }
    await forgetProgress(tx, id);
    return id;
  });
}
