import { recordAudit } from '../../../shared/audit/record.js';
import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { computeMonth } from './compute-months.js';
import { loadMonthToStore } from './month-to-store.js';
import type { ReportMonth } from './report-months.js';
import { storeVersion } from './store-version.js';

/**
 * Stores the report of a month from its current data as the final version 1, and announces it.
 * @param month `YYYY-MM`
 * @throws {ApiError} UNPROCESSABLE for a month that has not ended; NOT_FOUND for an unknown operation, or a month without data; CONFLICT
 *   for one that is final
 */
export async function closeMonth(
  context: Context,
  calendar: Calendar,
  ticker: string,
  month: string,
): Promise<ReportMonth> {
  return inTransaction(context, async (tx) => {
    const { key, newest, ...operation } = await loadMonthToStore(tx, ticker, month);
    if (newest !== undefined)
      throw new ApiError('CONFLICT', {
        message: `The report of ${month} is final, in version ${newest.version ?? 1}: reissue it if it is wrong`,
      });
    const report = await computeMonth(tx, calendar, key);
    const closed = await storeVersion(tx, { ...key, version: 1, reason: null, report });
    await recordAudit(tx, {
      action: 'closeReport',
      subject: { type: 'report', id: `${operation.ticker} ${month}` },
      after: { version: 1, source: key.source },
    });
    return closed;
  });
}
