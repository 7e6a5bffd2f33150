import type { DatabaseGauge } from '../../../shared/kernel/metrics.js';
import { countWaitingSeries } from './price-run.store.js';

/** Read from the database: a run looks at a series that waits only once after each import, so that a counter would stand still meanwhile. */
export const waitingSeries: DatabaseGauge = {
  name: 'unit_price_waiting_series',
  help: 'Series that are not priced, because a published number was not imported.',
  read: countWaitingSeries,
};
