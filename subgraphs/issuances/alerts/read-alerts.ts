import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import { loaderOf, type Context, today } from '../../../shared/kernel/context.js';
import { sum } from '../../../shared/kernel/decimal.js';
import { byKeys } from '../../../shared/graphql/list-page.js';
import { overdueUntil } from '../../securities/payments.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { LiveReports } from '../reports/live-reports.js';
import { createRevisionCache } from '../revision/revision.js';
import { excessOf, placeKeys, type AlertKind } from './alert.js';
import { operationsWithCovenants, overdueObligations, overduePayments, type OverdueRow } from './alert.store.js';
import type { AlertShape, AlertTotals } from './alert.type.js';

export type ReadAlerts = (context: Context) => Promise<readonly AlertShape[]>;

/** Creates a reader that finds the alerts again only when published data or the day has changed. */
export function createAlertReader(liveReports: LiveReports, calendar: () => Promise<Calendar>): ReadAlerts {
  const cache = createRevisionCache<readonly AlertShape[]>('alerts', 1);
  return (context) =>
    cache.one(context, '', async (fresh) => {
      const day = today(fresh);
      const [payments, obligations, covenants] = await Promise.all([
        overduePayments(fresh, day, overdueUntil(day, await calendar())),
        overdueObligations(fresh, day),
        breaches(fresh, liveReports),
      ]);
      const found = [
        ...covenants,
        ...payments.map((row) => overdue('PAYMENT_OVERDUE', row, day)),
        ...obligations.map((row) => overdue('OBLIGATION_OVERDUE', row, day)),
      ];
      return found.sort(byKeys(placeKeys));
    });
}

function overdue(kind: AlertKind, row: OverdueRow, day: string): AlertShape {
  return { ...row, kind, daysLate: daysBetween(row.dueDate, day), covenant: null };
}

async function breaches(context: Context, liveReports: LiveReports): Promise<AlertShape[]> {
  const operations = await operationsWithCovenants(context);
  const reports = loaderOf(context, liveReports);
  const found = await Promise.all(
    operations.map(async (operation) => {
      const { report } = await reports.load(operation.operationId);
      return report.covenants.map((covenant) => breachOf(operation, covenant));
    }),
  );
  return found.flat().flatMap((breach) => breach ?? []);
}

function breachOf(
  operation: Pick<OverdueRow, 'operationId' | 'operationTicker' | 'operationName'>,
  covenant: Parameters<typeof excessOf>[0],
): AlertShape | undefined {
  const excess = excessOf(covenant);
  const { name, metric, comparison, threshold, value, caveat } = covenant;
  if (excess === null || value === null) return undefined;
  return {
    ...operation,
    id: `${metric} ${comparison} ${threshold} ${name}`,
    kind: 'COVENANT_BREACHED',
    title: name,
    dueDate: null,
    daysLate: null,
    amount: null,
    seriesTicker: null,
    responsible: null,
    covenant: { metric, comparison, threshold, value, excess, caveat },
  };
}

export function addUpAlerts(alerts: readonly AlertShape[]): Shape<AlertTotals> {
  const countOf = (kind: AlertKind) => alerts.filter((alert) => alert.kind === kind).length;
  return {
    operations: new Set(alerts.map(({ operationId }) => operationId)).size,
    breachedCovenants: countOf('COVENANT_BREACHED'),
    overduePayments: countOf('PAYMENT_OVERDUE'),
    overdueAmount: sum(alerts.flatMap(({ amount }) => amount ?? [])).toFixed(2),
    paymentsWithoutAmount: alerts.filter(({ kind, amount }) => kind === 'PAYMENT_OVERDUE' && amount === null).length,
    overdueObligations: countOf('OBLIGATION_OVERDUE'),
  };
}
