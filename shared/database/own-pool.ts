import { Pool, type PoolConfig } from 'pg';
import type { Logger } from '../kernel/log.js';
import { PreparingClient } from './preparing-client.js';

export interface OwnPoolOptions {
  /** The module that uses the pool, in one word; shown in the log and as `application_name`. */
  readonly name: string;
  readonly max: number;
  /** How long a response may take. */
  readonly timeoutMs?: number;
}

/** Opens a small dedicated pool for a module, outside of the transactions of requests. Connects on the first query. */
export function openOwnPool(databaseUrl: string, log: Logger, { name, max, timeoutMs = 7_000 }: OwnPoolOptions): Pool {
  const settings: PoolConfig = {
    ...connectionSettings,
    Client: PreparingClient,
    connectionString: databaseUrl,
    max,
    application_name: `lastro ${name}`,
    query_timeout: timeoutMs,
  };
  const pool = new Pool(settings);
  // The next query replaces an idle connection that broke; without a listener its error would end the process.
  pool.on('error', (error) => log.warn({ err: error }, `A database connection of the ${name} failed`));
  return pool;
}

/** Settings of every connection to PostgreSQL, in any pool. Settings that PostgreSQL itself enforces belong to the role: see database.ts. */
export const connectionSettings = {
  /** How long a request waits for a connection, whether a new one is opened or all are in use. */
  connectionTimeoutMillis: 5_000,
  // Detects within some 20 seconds that the server of an idle connection has vanished without closing it.
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;
