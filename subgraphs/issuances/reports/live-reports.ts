import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { createRevisionCache } from '../common/revision.js';
import { loadPortfolios } from './portfolio.store.js';
import { computeReport } from './report.js';
import type { DatedReport } from './report.store.js';

/** Finds the reports of today of several operations, for `loaderOf`. */
export type LiveReports = (context: Context, operationIds: readonly string[]) => Promise<DatedReport[]>;

/** Live reports that are computed again only when the data or the day has changed. */
export function createLiveReports(): LiveReports {
  const cache = createRevisionCache<DatedReport>('live-reports', 1000);
  return (context, operationIds) => cache.many(context, operationIds, computeToday);
}

async function computeToday(context: Context, operationIds: readonly string[]): Promise<DatedReport[]> {
  const now = context.clock.now();
  const portfolios = await loadPortfolios(context, operationIds, civilDate(now), 'NOW');
  return portfolios.map((facts) => ({ report: computeReport(facts), generatedAt: now }));
}
