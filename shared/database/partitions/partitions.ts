import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../kernel/context.js';
import { isLockTimeout } from '../migrate.js';
import type { Job } from '../../work/scheduler.js';
import type { DatabaseGauge } from '../../kernel/metrics.js';

/** How often a table in use is asked for; whoever wants to use it waits behind each attempt, for half a second at most. */
const attempts = 5;
const pauseMs = 1_000;

/** Drops partitions until none is left, giving way to those who use the table. @param dropOne returns a name; null when there is none @returns how many */
export async function dropPast(context: Context, dropOne: () => Promise<string | null | undefined>): Promise<number> {
  let dropped = 0;
  for (let attempt = 1; ;) {
    try {
      const partition = await dropOne();
      if (partition == null) return dropped;
      context.log.info({ partition }, 'A partition past its retention was dropped');
      dropped += 1;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === attempts) {
        context.log.info('A table was in use, so that a partition was not dropped; the next run drops it');
        return dropped;
      }
      attempt += 1;
      await sleep(pauseMs);
    }
  }
}

const weekSeconds = 7 * 86_400;

/** Makes the partitions to come, and says what an operator has to look at. Nothing is lost meanwhile: rows without a partition have one of their own. */
async function keepPartitions(context: Context): Promise<void> {
  for (const table of await context.manager.values<string>(
    'SELECT name FROM shared.partitioned_tables ORDER BY name',
  )) {
    try {
      const made = await context.manager.countRows('SELECT shared.make_partitions($1) AS made', [table]);
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

export const partitionStrays: DatabaseGauge = {
  name: 'database_partition_strays',
  help: 'Rows in no partition by time, at most 1,000 of each table.',
  read: async (context) => (await partitionStates(context)).reduce((sum, { strays }) => sum + strays, 0),
};

interface PartitionState {
  /** As `schema.table`. */
  readonly table: string;
  /** Seconds until the end of the last partition. */
  readonly aheadSeconds: number;
  /** Rows that are in no partition by time, at most 1,000. */
  readonly strays: number;
}

/** Returns the state of each table that is divided by time and that no other program divides. */
export async function partitionStates(context: Context): Promise<PartitionState[]> {
  const tables = await context.manager.values<string>(
    'SELECT name FROM shared.partitioned_tables WHERE NOT shared.is_kept_by_partman(name) ORDER BY name',
  );
  if (tables.length === 0) return [];
  // Names from the list of our own migrations, whose form a CHECK holds.
  const one = (table: string) => `
    SELECT '${table}' AS "table",
      (SELECT extract(epoch FROM max(until) - now())::float8 FROM shared.partitions_of('${table}') WHERE NOT is_default) AS "aheadSeconds",
      (SELECT count(*)::integer FROM (SELECT FROM ${table}_default LIMIT 1000) AS stray) AS strays`;
  return context.manager.rows(tables.map(one).join(' UNION ALL '));
}
