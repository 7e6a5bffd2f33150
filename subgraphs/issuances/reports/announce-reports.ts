import type { Context } from '../../../shared/kernel/context.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { lastDayOf } from '../../../shared/kernel/calendar/days.js';
import { updateTopic } from '../updates/operation-update.js';
import type { MonthKey } from './report.store.js';

/** Announces to readers of public operations that monthly reports are final or reissued, dated by the month's last day. */
export async function announceReports(tx: Context, months: readonly MonthKey[]): Promise<void> {
  const rows = await tx.manager.rows<{ id: string; ticker: string }>(
    'SELECT id, ticker FROM issuances.operations WHERE is_public AND id = ANY ($1)',
    [months.map(({ operationId }) => operationId)],
  );
  const tickers = new Map(rows.map(({ id, ticker }) => [id, ticker]));
  const occurredAt = tx.clock.now().toISOString();
  const events = months.flatMap(({ operationId, month }) => {
    const ticker = tickers.get(operationId);
    if (ticker === undefined) return [];
    const payload = { operationId, ticker, kind: 'REPORT', reference: lastDayOf(month), occurredAt };
    return { topic: updateTopic, key: operationId, payload };
  });
  await announceAll(tx, events);
}
