import { Pool } from 'pg';
import { PreparingClient } from '../../shared/database/preparing-client.js';
import type { Logger } from '../../shared/log.js';

/**
 * A few connections of the accounts' own, outside of the transaction of any request: a failed login counts although its
 * request is rolled back, and a credential is looked up before there is a request. Were these on the pool of the requests,
 * then requests that hold all its connections could wait for one more, each for the others.
 * Nothing connects before the first query.
 */
export function openAccountsPool(databaseUrl: string, log: Logger): Pool {
  const pool = new Pool({
    Client: PreparingClient,
    connectionString: databaseUrl,
    max: 4,
    application_name: 'lastro accounts',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    options: '-c timezone=UTC',
  });
  // An idle connection that breaks is replaced by the next query; unheard, its error would end the process.
  pool.on('error', (error) => {
    log.warn({ err: error }, 'A database connection of the accounts broke');
  });
  return pool;
}
