import { civilDate } from '../../../shared/kernel/clock.js';
import type { Job } from '../../../shared/work/scheduler.js';
import { deleteRefusedRoutings } from './order.store.js';
import { forgetVolumes } from './usage.store.js';

const batch = 1_000;
/** The volumes of a day are read on that day; a little longer, for clocks that differ. */
const volumesKeptMs = 2 * 86_400_000;

/** Deletes the routing of rejected orders 30 days after they were received, and volumes of past days. The orders themselves stay. */
export const orderRetentionJob: Job = {
  name: 'trading.order-retention',
  cron: '41 * * * *',
  run: async (context, stopping) => {
    const before = civilDate(new Date(context.clock.now().getTime() - volumesKeptMs));
    for (const forget of [() => deleteRefusedRoutings(context, batch), () => forgetVolumes(context, before, batch)]) {
      while (stopping?.aborted !== true && (await forget()) === batch);
    }
  },
};
