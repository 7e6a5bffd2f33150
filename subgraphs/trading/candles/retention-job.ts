import type { Job } from '../../../shared/work/scheduler.js';
import { deleteCandlesBefore } from './candle.store.js';

const dayMs = 86_400_000;
/** More than the 1000 candles that can be requested, which cover 42 days of hours and 167 days of four hours. Days and weeks are kept for good. */
const keptDays = { '1h': 60, '4h': 200 } as const;

/** Deletes short candles that can no longer be requested. */
export const candleRetentionJob: Job = {
  name: 'trading.candle-retention',
  cron: '41 3 * * *',
  run: async (context) => {
    const nowMs = context.clock.now().getTime();
    for (const length of ['1h', '4h'] as const) {
      await deleteCandlesBefore(context, length, new Date(nowMs - keptDays[length] * dayMs));
    }
  },
};
