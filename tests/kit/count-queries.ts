import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

const counted = new AsyncLocalStorage<true>();

/**
 * How many statements `work` sends to the database: TypeORM takes a connection out of its pool for each one outside of a
 * transaction. What runs in the background meanwhile does not count.
 */
export async function countQueries(dataSource: DataSource, work: () => Promise<unknown>): Promise<number> {
  const { master } = dataSource.driver as unknown as { master: Pool };
  const { connect } = master;
  let count = 0;
  master.connect = ((...given: Parameters<typeof connect>) => {
    if (counted.getStore()) count += 1;
    return connect.apply(master, given);
  }) as typeof connect;
  try {
    await counted.run(true, work);
  } finally {
    master.connect = connect;
  }
  return count;
}
