import type { DatabaseGauge } from '../../kernel/metrics.js';
import { partitionStates } from './partitions.store.js';

/** Falls below a week when the job that makes partitions does not run. */
export const partitionsAhead: DatabaseGauge = {
  name: 'database_partitions_ahead_seconds',
  help: 'Time until the end of the last partition, of the table where that is soonest.',
  read: async (context) => Math.min(...(await partitionStates(context)).map(({ aheadSeconds }) => aheadSeconds)),
};

/** Rows that came when their partition was missing, or whose time is far off. */
export const partitionStrays: DatabaseGauge = {
  name: 'database_partition_strays',
  help: 'Rows in no partition by time, at most 1,000 of each table.',
  read: async (context) => (await partitionStates(context)).reduce((sum, { strays }) => sum + strays, 0),
};
