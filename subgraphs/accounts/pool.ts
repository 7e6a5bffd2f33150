import type { Pool } from 'pg';
import { openOwnPool } from '../../shared/database/own-pool.js';
import type { Logger } from '../../shared/log.js';

/**
 * A few connections of the accounts' own, outside of the transaction of any request: a failed login counts although its
 * request is rolled back, and a credential is looked up before there is a request. Were these on the pool of the requests,
 * then requests that hold all its connections could wait for one more, each for the others.
 * Nothing connects before the first query.
 */
export function openAccountsPool(databaseUrl: string, log: Logger): Pool {
  return openOwnPool(databaseUrl, log, { name: 'accounts', max: 4 });
}
