import type { Job } from '../../../shared/work/scheduler.js';
import { untilFew } from '../../../shared/kernel/turns.js';
import { deleteExpired } from './quote.store.js';

const batch = 1_000;

/** Deletes quotes that were not executed, a day after they expired. Executed ones belong to their orders, and stay. */
export const quoteRetentionJob: Job = {
  name: 'trading.quote-retention',
  cron: '*/10 * * * *',
  run: (context, stopping) => untilFew(batch, () => deleteExpired(context, batch), stopping),
};
