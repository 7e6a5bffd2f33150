import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { addDays } from '../../../shared/kernel/calendar/days.js';
import { createRevisionCache, ofOperation } from '../revision/revision.js';
import { loadPortfolios } from './portfolio.store.js';
import { overdueUntil } from '../../securities/payments.js';
import { priceDueOn } from './price-due.js';
import { computeReport } from './report.js';
import type { DatedReport } from './report.store.js';

/** Batch function that returns today's reports of several operations, for `loaderOf`. */
export type LiveReports = (context: Context, operationIds: readonly string[]) => Promise<DatedReport[]>;

/** Creates a loader of live reports that computes them again only when the data or the day has changed. */
export function createLiveReports(calendar: () => Promise<Calendar>): LiveReports {
  const cache = createRevisionCache<DatedReport>('live-reports', 1000, ofOperation);
  return (context, operationIds) =>
    cache.many(context, operationIds, async (fresh, ids) => computeToday(fresh, await calendar(), ids));
}

async function computeToday(
  context: Context,
  calendar: Calendar,
  operationIds: readonly string[],
): Promise<DatedReport[]> {
  const now = context.clock.now();
  const position = civilDate(now);
  // The price of a day is published after the day ends.
  const due = priceDueOn(calendar, addDays(position, -1));
  const portfolios = await loadPortfolios(context, operationIds, {
    position,
    month: null,
    source: 'NOW',
    priceDueOn: due,
    overdueUntil: overdueUntil(position, calendar),
  });
  return portfolios.map((facts) => ({ report: computeReport(facts), generatedAt: now }));
}
