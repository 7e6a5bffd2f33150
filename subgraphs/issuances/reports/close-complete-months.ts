import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { announceReports } from './announce-reports.js';
import { computeMonths } from './compute-months.js';
import { addVersions, completeMonthsWithoutReport } from './report.store.js';

/**
 * Stores the final reports of the months that an import declared complete, in its transaction, and announces them. A final month
 * does not change. The revision has to be raised before.
 */
export async function closeCompleteMonths(tx: Context, operationIds: readonly string[]): Promise<void> {
  const keys = await completeMonthsWithoutReport(tx, operationIds);
  if (keys.length === 0) return;
  const calendar = await loadCalendar(tx.manager);
  const reports = await computeMonths(
    tx,
    calendar,
    keys.map((key) => ({ ...key, source: 'MONTH_END' as const })),
  );
  const versions = keys.flatMap((key, index) => {
    const report = reports[index];
    return report === undefined ? [] : { ...key, version: 1, reason: null, report };
  });
  await addVersions(tx, versions);
  await announceReports(tx, versions);
}
