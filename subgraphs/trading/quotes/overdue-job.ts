import type { Job } from '../../../shared/work/scheduler.js';
import { markOverdue, oldestOpenSeconds } from './open-hedge.store.js';
import type { DatabaseGauge } from '../../../shared/kernel/metrics.js';

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

/** Grows as long as the house cannot hedge a quote at the venues. */
export const oldestHedge: DatabaseGauge = {
  name: 'trading_oldest_open_hedge_seconds',
  help: 'Seconds since the execution of the oldest quote that is not hedged; 0 when all are hedged.',
  read: oldestOpenSeconds,
};
