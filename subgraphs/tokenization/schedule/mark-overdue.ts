import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { overdueUntil } from '../../securities/payments.js';
import type { Job } from '../../../shared/work/scheduler.js';
import { untilFew } from '../../../shared/kernel/turns.js';
import { announceBooks } from '../series/book.js';
import { paymentEvent } from './payment-event.js';
import { markOverdue, settleEmpty } from './schedule-writes.store.js';

const batch = 500;

/** Marks each once its due business day has passed in São Paulo and announces it once. One that pays nothing is marked as paid, without an event. Returns how many are overdue. */
export async function markOverdueInstalments(context: Context, calendar: Calendar): Promise<number> {
  const upTo = overdueUntil(civilDate(context.clock.now()), calendar);
  const settle = async (tx: Context) => {
    const series = await settleEmpty(tx, upTo, batch);
    await announceBooks(tx, [...new Set(series)]);
    return series.length;
  };
  await untilFew(batch, () => inTransaction(context, settle));
  const step = async (tx: Context) => {
    const late = await markOverdue(tx, upTo, batch);
    const events = late.map((row) => paymentEvent('payment.overdue', row.trancheTicker, row));
    await announceAll(tx, events);
    return late.length;
  };
  const total = await untilFew(batch, () => inTransaction(context, step));
  if (total > 0) context.log.info({ instalments: total }, 'Instalments are overdue');
  return total;
}

/** Runs when an instance starts and every hour: soon after midnight in São Paulo, and soon after a downtime. */
export function overdueJob(calendar: () => Promise<Calendar>): Job {
  return {
    name: 'tokenization.overdue',
    cron: '1 * * * *',
    atStart: true,
    run: async (context) => markOverdueInstalments(context, await calendar()),
  };
}
