import type { Pool } from 'pg';
import type { Logger } from 'typeorm';
import type { Database } from '../../shared/database/database.js';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Hands on each statement that a data source runs from now on. */
export function watchStatements(dataSource: Database, note: (statement: Statement) => unknown): void {
  const logger: Logger = {
    logQuery: (text, values) => void note({ text, values: Array.isArray(values) ? values : [] }),
    logQueryError: () => undefined,
    logQuerySlow: () => undefined,
    logSchemaBuild: () => undefined,
    logMigration: () => undefined,
    log: () => undefined,
  };
  dataSource.setOptions({ logging: ['query'], logger });
}

/**
 * How many statements `work` sends to the database: TypeORM takes a connection out of its pool for each one outside of a
 * transaction.
 */
export async function countQueries(dataSource: Database, work: () => Promise<unknown>): Promise<number> {
  const { master } = dataSource.driver as unknown as { master: Pool };
  let count = 0;
  const counter = () => {
    count += 1;
  };
  master.on('acquire', counter);
  await work();
  master.off('acquire', counter);
  return count;
}
