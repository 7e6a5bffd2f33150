import { loadCalendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { pathOf } from '../../../shared/import/read/source.js';
import type { ErrorList } from '../../../shared/import/domain.js';
import { announceReports } from './announce-reports.js';
import { computeMonths } from './compute-months.js';
import { readMonthGaps } from './month-gaps.js';
import { addVersions, completeMonthsWithoutReport, declaredMonths } from './report.store.js';

/** Runs in the import's transaction; a final month does not change. The revision has to be raised before. @param reason why months are closed although something is missing; kept with their reports */
export async function closeCompleteMonths(
  tx: Context,
  operationIds: readonly string[],
  reason: string | undefined,
): Promise<void> {
  const keys = await completeMonthsWithoutReport(tx, operationIds);
  if (keys.length === 0) return;
  const calendar = await loadCalendar(tx.manager);
  const reports = await computeMonths(
    tx,
    calendar,
    keys.map((key) => ({ ...key, source: 'MONTH_END' as const })),
  );
  const gaps = reason === undefined ? [] : await readMonthGaps(tx, calendar, keys);
  const versions = keys.flatMap((key, index) => {
    const report = reports[index];
    const accepted = (gaps[index]?.total ?? 0) > 0 ? (reason ?? null) : null;
    return report === undefined ? [] : { ...key, version: 1, reason: accepted, report };
  });
  await addVersions(tx, versions);
  await announceReports(tx, versions);
}

/** Adds to the errors of an import what the months lack that it declares complete. */
export async function doubtCompleteMonths(tx: Context, errors: ErrorList): Promise<void> {
  const months = await declaredMonths(tx);
  if (months.length === 0) return;
  const gaps = await readMonthGaps(tx, await loadCalendar(tx.manager), months);
  for (const [index, { file, line, path }] of months.entries()) {
    const { named = [], total = 0 } = gaps[index] ?? {};
    for (const gap of named) errors.add(file, line, pathOf({ path }, 'month'), gap);
    errors.addUnshown(total - named.length);
  }
}
