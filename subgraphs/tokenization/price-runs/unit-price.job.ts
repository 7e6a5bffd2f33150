import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Job } from '../../../shared/scheduler.js';
import { answerRequests } from './answer-requests.js';
import { repriceAll } from './reprice-all.js';

/**
 * Runs every five minutes, and when an instance starts: prices are computed soon after their day has begun and their numbers are published, and missed
 * ones soon after a downtime, including requests whose run was killed. On a day that is no business day nothing is due.
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
