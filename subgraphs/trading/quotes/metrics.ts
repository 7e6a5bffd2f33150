import type { DatabaseGauge } from '../../../shared/kernel/metrics.js';
import { oldestOpenSeconds } from './open-hedge.store.js';

/** Grows as long as the house cannot hedge a quote at the venues. */
export const oldestHedge: DatabaseGauge = {
  name: 'trading_oldest_open_hedge_seconds',
  help: 'Seconds since the execution of the oldest quote that is not hedged; 0 when all are hedged.',
  read: oldestOpenSeconds,
};
