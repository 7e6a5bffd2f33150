import type { Job } from '../../../shared/work/scheduler.js';
import { markOverdue } from './open-hedge.store.js';

/** A hedge that is open for longer needs an operator. */
const alarmAfterSeconds = 5 * 60;

/** Reports each hedge that stays open for too long, once; `openHedges` lists it until it is done. */
export const overdueHedgesJob: Job = {
  name: 'trading.overdue-hedges',
  cron: '* * * * *',
  run: async (context) => {
    for (const hedge of await markOverdue(context, alarmAfterSeconds)) {
      context.log.error({ hedge }, 'A quote has been unhedged for too long: the platform has an open position');
    }
  },
};
