import type { Job } from '../../../shared/scheduler.js';
import { deleteRefusedRoutings } from './routing.store.js';

const batch = 1_000;

/** Deletes the routing of rejected orders 30 days after they were received. The orders themselves stay. */
export const routingRetentionJob: Job = {
  name: 'trading.routing-retention',
  cron: '41 * * * *',
  run: async (context, stopping) => {
    while (stopping?.aborted !== true) {
      if ((await deleteRefusedRoutings(context, batch)) < batch) return;
    }
  },
};
