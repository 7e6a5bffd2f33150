import { Pool } from 'pg';
import type { Logger } from '../log.js';
import { connectionSettings } from './connection-settings.js';
import { PreparingClient } from './preparing-client.js';

export interface OwnPoolOptions {
  /** Whose connections they are: a word for the log and for PostgreSQL's list of connections. */
  readonly name: string;
  readonly max: number;
}

/** A few connections of a room's own, outside of the transactions of requests. Nothing connects before the first query. */
export function openOwnPool(databaseUrl: string, log: Logger, { name, max }: OwnPoolOptions): Pool {
  const pool = new Pool({
    ...connectionSettings,
    Client: PreparingClient,
    connectionString: databaseUrl,
    max,
    application_name: `lastro ${name}`,
    statement_timeout: 5_000,
  });
  // An idle connection that breaks is replaced by the next query; unheard, its error would end the process.
  pool.on('error', (error) => {
    log.warn({ err: error }, `A database connection of the ${name} broke`);
  });
  return pool;
}
