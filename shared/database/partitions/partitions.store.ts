import type { Context } from '../../kernel/context.js';

/** How a table that grows is prepared for what comes. */
export interface PartitionState {
  /** As `schema.table`. */
  readonly table: string;
  /** Seconds until the end of the last partition. */
  readonly aheadSeconds: number;
  /** Rows that are in no partition by time, at most 1,000. */
  readonly strays: number;
}

/** Returns the tables that are divided by time, as `schema.table`. */
export function partitionedTables({ manager }: Context): Promise<string[]> {
  return manager.values('SELECT name FROM shared.partitioned_tables ORDER BY name');
}

/** Makes the partitions of a table that are to follow the present one. @returns how many it made */
export function makePartitions({ manager }: Context, table: string): Promise<number> {
  return manager.countRows('SELECT shared.make_partitions($1) AS made', [table]);
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
