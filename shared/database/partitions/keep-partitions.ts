import type { Context } from '../../kernel/context.js';
import { isLockTimeout } from '../migrate.js';
import type { Job } from '../../work/scheduler.js';
import { makePartitions, partitionedTables, partitionStates } from './partitions.store.js';
import type { DatabaseGauge } from '../../kernel/metrics.js';

const weekSeconds = 7 * 86_400;

/** Makes the partitions to come, and says what an operator has to look at. Nothing is lost meanwhile: rows without a partition have one of their own. */
async function keepPartitions(context: Context): Promise<void> {
  for (const table of await partitionedTables(context)) {
    try {
      const made = await makePartitions(context, table);
      if (made > 0) context.log.info({ table, made }, 'Partitions were made ahead');
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      // There are several ahead: the next run is early enough.
      context.log.info({ table }, 'A table was in use, so that no partitions were made; the next run makes them');
    }
  }
  for (const { table, aheadSeconds, strays } of await partitionStates(context)) {
    if (strays > 0)
      context.log.warn({ table, strays }, 'Rows are in no partition by time (docs/operations, Tables that grow)');
    if (aheadSeconds < weekSeconds)
      context.log.error({ table }, 'The partitions of a table end within a week (docs/operations, Tables that grow)');
  }
}

export const partitionsJob: Job = { name: 'shared.partitions', cron: '7 * * * *', atStart: true, run: keepPartitions };

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
