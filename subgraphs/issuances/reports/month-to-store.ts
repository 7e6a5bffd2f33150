import type { Context } from '../../../shared/context.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { raiseRevision } from '../revision/raise-revision.js';
import { requireOperation } from '../operations/require-operation.js';
import type { SourcedMonth } from './compute-months.js';
import { lastEndedMonth, sourceOf, type ReportMonth } from './report-months.js';
import { loadFinalMonths, loadKnownMonths } from './report.store.js';

/** A month whose report is to be stored. */
export interface MonthToStore {
  readonly ticker: string;
  readonly key: SourcedMonth;
  /** Its newest version; undefined while it is preliminary. */
  readonly newest: ReportMonth | undefined;
}

/**
 * Loads a month to store its report, and blocks commits of imports and of other such mutations until the transaction ends.
 * @throws {ApiError} UNPROCESSABLE for a month that has not ended; NOT_FOUND for an unknown operation, or a month without data
 */
export async function loadMonthToStore(tx: Context, ticker: string, month: string): Promise<MonthToStore> {
  const lastMonth = lastEndedMonth(tx);
  if (month > lastMonth) {
    refuse('UNPROCESSABLE', [
      {
        path: 'month',
        message: `must have ended, but ${month} has not: the last month that has ended is ${lastMonth}`,
      },
    ]);
  }
  const operation = await requireOperation(tx, ticker);
  await raiseRevision(tx, [operation.id]);
  const [known] = await loadKnownMonths(tx, [operation.id]);
  const [final = []] = await loadFinalMonths(tx, [operation.id]);
  const source = known && sourceOf(known, month);
  if (source === undefined)
    throw new ApiError('NOT_FOUND', {
      message: `There are no positions of ${operation.ticker} for the end of ${month}: import them first`,
    });
  return {
    ticker: operation.ticker,
    key: { operationId: operation.id, month, source },
    newest: final.find((one) => one.month === month),
  };
}
