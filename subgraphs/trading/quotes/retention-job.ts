import type { Job } from '../../../shared/scheduler.js';
import { deleteExpired } from './quote.store.js';

const chunk = 1_000;

/** Deletes quotes that were not executed, a day after they expired. Executed ones belong to their orders, and stay. */
export const quoteRetentionJob: Job = {
  name: 'trading.quote-retention',
  cron: '*/10 * * * *',
  run: async (context) => {
    while ((await deleteExpired(context, chunk)) === chunk);
  },
};
