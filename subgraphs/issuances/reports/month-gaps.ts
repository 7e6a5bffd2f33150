import { broken, type BrokenImportRule } from '../../../shared/import/import-rules.js';
import { addDays, lastDayOf } from '../../../shared/kernel/calendar/days.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { overdueUntil } from '../../securities/payments.js';
import { paymentStatus } from '../payments/payment.js';
import { loadSeriesFacts } from './portfolio.store.js';
import { priceDueOn } from './price-due.js';
import { loadMissingPositions, loadOpenPayments, type MonthKey } from './report.store.js';
import { standingOf } from './series-standing.js';

/** Data that a month lacks to be closed; the messages complete a sentence that begins with `month`. */
export interface MonthGaps {
  /** Prices, payments, then positions; at most 1,000 positions. */
  readonly named: readonly BrokenImportRule[];
  readonly total: number;
}

/** Returns the missing data, in the order of the keys: prices of outstanding series for the last business day, due payments that are unpaid, and positions if the month has some. Queries depend on months only. */
export async function readMonthGaps(
  context: Context,
  calendar: Calendar,
  keys: readonly MonthKey[],
): Promise<MonthGaps[]> {
  const found = new Map<MonthKey, MonthGaps>();
  for (const [month, alike] of groupBy(keys, (key) => key.month)) {
    const ids = alike.map(({ operationId }) => operationId);
    const day = lastDayOf(month);
    const due = priceDueOn(calendar, day);
    const series = await loadSeriesFacts(context, ids, { position: day, overdueUntil: overdueUntil(day, calendar) });
    const payments = groupBy(await loadOpenPayments(context, ids, day), ({ operationId }) => operationId);
    const positions = groupBy(await loadMissingPositions(context, ids, month), ({ operationId }) => operationId);
    for (const key of alike) {
      const { outstanding, ended } = standingOf(series.get(key.operationId) ?? [], day, due);
      const stale = outstanding.filter((one) => one.stale && !one.balance.isZero());
      // Nothing more is owed on a series that was redeemed.
      const redeemed = new Set(ended.filter(({ end }) => end === 'REDEEMED').map(({ ticker }) => ticker));
      const open = (payments.get(key.operationId) ?? []).filter(
        (one) => !redeemed.has(one.ticker ?? '') && paymentStatus(one, addDays(day, 1), calendar) === 'OVERDUE',
      );
      const missing = positions.get(key.operationId) ?? [];
      const named = [
        ...stale.map(({ ticker, priceDate }) =>
          broken('MONTH_PRICE', { value: month, ticker, day: due ?? day, last: priceDate ?? '—' }),
        ),
        ...open.map((one) => broken('MONTH_PAYMENT', { value: month, payment: one.payment, day: one.dueDate })),
        ...missing.map(({ contract }) => broken('MONTH_POSITION', { value: month, contract })),
      ];
      found.set(key, { named, total: named.length - missing.length + (missing[0]?.total ?? 0) });
    }
  }
  return keys.map((key) => found.get(key) ?? { named: [], total: 0 });
}
