import type { DatabaseGauge } from '../../../shared/subgraph/subgraph.js';
import { oldestOpenSeconds } from './open-hedge.store.js';

/** Grows for as long as the house cannot trade at the venues what it owes, or is left with, of a quote. */
export const oldestHedge: DatabaseGauge = {
  name: 'trading_oldest_open_hedge_seconds',
  help: 'How long ago the oldest quote was executed that is not hedged; 0 where every one is.',
  read: oldestOpenSeconds,
};
