import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { lastDayOf } from '../../../shared/kernel/calendar/days.js';
import { loadPortfolios, type PortfolioSource } from './portfolio.store.js';
import { overdueUntil } from '../../securities/payments.js';
import { priceDueOn } from './price-due.js';
import type { Report } from './report-schema.js';
import type { MonthKey } from './report.store.js';
import { computeReport } from './report.js';

export type SourcedMonth = MonthKey & { readonly source: PortfolioSource };

/** Computes the reports of ended months, in their order; the number of queries depends on the months, not on the operations. */
export async function computeMonths(
  context: Context,
  calendar: Calendar,
  months: readonly SourcedMonth[],
): Promise<Report[]> {
  const computed = new Map<SourcedMonth, Report>();
  for (const alike of groupBy(months, ({ month, source }) => `${month} ${source}`).values()) {
    const [first] = alike;
    if (first === undefined) continue;
    const position = lastDayOf(first.month);
    const due = priceDueOn(calendar, position);
    const portfolios = await loadPortfolios(
      context,
      alike.map(({ operationId }) => operationId),
      {
        position,
        month: first.month,
        source: first.source,
        priceDueOn: due,
        overdueUntil: overdueUntil(position, calendar),
      },
    );
    for (const [index, facts] of portfolios.entries()) {
      const month = alike[index];
      if (month !== undefined) computed.set(month, computeReport(facts));
    }
  }
  return months.flatMap((month) => computed.get(month) ?? []);
}

export async function computeMonth(context: Context, calendar: Calendar, month: SourcedMonth): Promise<Report> {
  const [report] = await computeMonths(context, calendar, [month]);
  if (report === undefined) throw new Error('Fewer results were computed than requested');
  return report;
}
