import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Job } from '../../../shared/work/scheduler.js';
import { repriceAll } from './reprice-all.js';
import { createRepriceQueue } from './reprice-queue.js';
import type { DatabaseGauge } from '../../../shared/kernel/metrics.js';
import { countWaitingSeries } from './price-run.store.js';

/** Runs every five minutes and at start: soon after a day has begun, numbers are published or a downtime ends; requests whose run was killed are taken up. On other days nothing is due. */
export function unitPriceJob(calendar: () => Promise<Calendar>): Job {
  return {
    name: 'tokenization.unit-prices',
    cron: '*/5 * * * *',
    atStart: true,
    run: async (context, stopping) => {
      const errors: unknown[] = [];
      const requests = createRepriceQueue(context, calendar, (error) => errors.push(error));
      const stop = () => void requests.stop();
      stopping?.addEventListener('abort', stop);
      await requests.drain();
      stopping?.removeEventListener('abort', stop);
      await repriceAll(context, { calendar: await calendar(), goesOn: () => stopping?.aborted !== true });
      if (errors.length > 0) throw new AggregateError(errors, 'Requested prices could not be computed');
    },
  };
}

/** Read from the database: a run looks at a series that waits only once after each import, so that a counter would stand still meanwhile. */
export const waitingSeries: DatabaseGauge = {
  name: 'unit_price_waiting_series',
  help: 'Series that are not priced, because a published number was not imported.',
  read: countWaitingSeries,
};
