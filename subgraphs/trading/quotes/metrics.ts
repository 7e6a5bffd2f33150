import type { DatabaseGauge } from '../../../shared/metrics.js';
import { oldestOpenSeconds } from './open-hedge.store.js';

/** Grows as long as the house cannot hedge a quote at the venues. */
export const oldestHedge: DatabaseGauge = {
  name: 'trading_oldest_open_hedge_seconds',
  help: 'How long ago the oldest quote was executed that is not hedged; 0 where every one is.',
  read: oldestOpenSeconds,
};
