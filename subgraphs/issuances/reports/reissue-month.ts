import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../../../shared/audit/record.js';
import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { requireReason } from '../../../shared/reason.js';
import { computeMonth } from './compute-months.js';
import { loadMonthToStore } from './month-to-store.js';
import type { ReportMonth } from './report-months.js';
import { storedReports } from './report.store.js';
import { storeVersion } from './store-version.js';

/**
 * Reissues the report of a final month from its current data as the next version, and announces it. Earlier versions stay.
 * @param month `YYYY-MM`
 * @param reason why: it is published, 1 to 500 characters on one line
 * @throws {ApiError} BAD_REQUEST for the reason; UNPROCESSABLE for a month that has not ended; NOT_FOUND for an unknown operation, or a month without
 *   data; CONFLICT for a month that is preliminary, or a report that would be the same
 */
export async function reissueMonth(
  context: Context,
  calendar: Calendar,
  ticker: string,
  month: string,
  reason: string,
): Promise<ReportMonth> {
  const why = requireReason(reason);
  return inTransaction(context, async (tx) => {
    const { key, newest, ...operation } = await loadMonthToStore(tx, ticker, month);
    if (newest?.version == null)
      throw new ApiError('CONFLICT', {
        message: `The report of ${month} is preliminary and follows the data: close it first`,
      });
    const [standing] = await storedReports(tx, [{ ...key, version: null }]);
    const report = await computeMonth(tx, calendar, key);
    if (!newest.dataChanged && isDeepStrictEqual(report, standing?.report))
      throw new ApiError('CONFLICT', {
        message: `The report of ${month} would be the same as version ${newest.version}: its data has not changed since`,
      });
    const version = newest.version + 1;
    const issued = await storeVersion(tx, { ...key, version, reason: why, report });
    await recordAudit(tx, {
      action: 'reissueReport',
      subject: { type: 'report', id: `${operation.ticker} ${month}` },
      before: { version: newest.version },
      after: { version, source: key.source, reason: why },
    });
    return issued;
  });
}
