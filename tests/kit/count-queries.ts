import type { Pool } from 'pg';
import type { Database } from '../../shared/database/database.js';

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
