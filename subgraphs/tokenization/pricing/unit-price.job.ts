import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Job } from '../../../shared/scheduler.js';
import { repriceAll } from './reprice-all.js';

/**
 * Looks every five minutes, and when an instance starts: a price is made soon after its day has begun and its numbers have
 * come, and what was missed soon after a downtime. On a day that is no business day nothing is due.
 */
export function unitPriceJob(calendar: () => Promise<Calendar>): Job {
  return {
    name: 'tokenization.unit-prices',
    cron: '*/5 * * * *',
    atStart: true,
    run: async (context, stopping) => {
      await repriceAll(context, { calendar: await calendar(), ...(stopping && { stopping }) });
    },
  };
}
