import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Job } from '../../../shared/scheduler.js';
import { answerRequests } from './answer-requests.js';
import { repriceAll } from './reprice-all.js';

/**
 * Looks every five minutes, and when an instance starts: a price is made soon after its day has begun and its numbers have
 * come, and what was missed soon after a downtime, requests of operators whose run was killed included. On a day that is no business day nothing is due.
 */
export function unitPriceJob(calendar: () => Promise<Calendar>): Job {
  return {
    name: 'tokenization.unit-prices',
    cron: '*/5 * * * *',
    atStart: true,
    run: async (context, stopping) => {
      const days = await calendar();
      await answerRequests(context, days, stopping);
      await repriceAll(context, { calendar: days, ...(stopping && { stopping }) });
    },
  };
}
