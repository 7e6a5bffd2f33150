import type { Pool } from 'pg';
import { openOwnPool } from '../../shared/database/own-pool.js';
import type { Logger } from '../../shared/kernel/log.js';

/**
 * Opens a small dedicated pool for accounts, outside of the transaction of any request: a failed login counts although its
 * request is rolled back, and a credential is looked up before there is a request. On the pool of the requests, requests
 * that hold all its connections could each wait for one more and deadlock. Nothing connects before the first query.
 */
export function openAccountsPool(databaseUrl: string, log: Logger): Pool {
  return openOwnPool(databaseUrl, log, { name: 'accounts', max: 4 });
}
