import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import type { Job } from '../../../shared/scheduler.js';
import { addMonths, lastDayOf, monthsBetween } from '../common/days.js';
import { loadPortfolios, type PortfolioSource } from './portfolio.store.js';
import { computeReport } from './report.js';
import { findReportable, keepReport, type ReportableOperation } from './report.store.js';

/**
 * Stores the reports of ended months that have none: each once, for good. A month that the importer brought positions
 * of is made from them; any later one from the contracts as they stand, unless they are known to have moved on since.
 * Answers how many were stored.
 */
export async function storeMonthEnds(context: Context): Promise<number> {
  const lastMonth = addMonths(civilDate(context.clock.now()).slice(0, 7), -1);
  let stored = 0;
  const faults: unknown[] = [];
  for (const operation of await findReportable(context, lastMonth)) {
    try {
      for (const { month, source } of missingMonths(operation, lastMonth)) {
        if (await storeMonthEnd(context, operation.operationId, month, source)) stored += 1;
      }
    } catch (error) {
      // One operation whose report cannot be made must not cost the others theirs.
      faults.push(error);
    }
  }
  if (stored > 0) context.log.info({ stored }, 'Month-end reports were stored');
  if (faults.length > 0)
    throw new AggregateError(faults, `The reports of ${faults.length} operations could not be made`);
  return stored;
}

/** Looks every ten minutes, so that a month's end is stored soon after midnight and a missed one soon after a start. */
export const monthEndJob: Job = {
  name: 'issuances.month-ends',
  cron: '3-59/10 * * * *',
  run: async (context) => {
    await storeMonthEnds(context);
  },
};

/** The reports to be made, and from what, oldest first. */
export function missingMonths(
  { positionMonths, storedMonths, baseMonth }: ReportableOperation,
  lastMonth: string,
): { readonly month: string; readonly source: PortfolioSource }[] {
  const fromPositions = positionMonths.map((month) => ({ month, source: 'MONTH_END' as const }));
  const known = new Set([...positionMonths, ...storedMonths]);
  const fromContracts = monthsBetween(baseMonth, lastMonth)
    .filter((month) => !known.has(month))
    .map((month) => ({ month, source: 'NOW' as const }));
  return [...fromPositions, ...fromContracts].sort((left, right) => (left.month < right.month ? -1 : 1));
}

function storeMonthEnd(context: Context, id: string, month: string, source: PortfolioSource): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    const [facts] = await loadPortfolios(tx, [id], lastDayOf(month), source);
    return facts !== undefined && keepReport(tx, id, month, computeReport(facts));
  });
}
