import { DataSource, type EntitySchema } from 'typeorm';
import { PreparingClient } from './preparing-client.js';

export interface DatabaseOptions {
  readonly url: string;
  /** Connections this process may hold at once. */
  readonly poolSize: number;
  readonly entities: readonly (EntitySchema | (new () => object))[];
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
}

/** Opens the one data source of this process. Never `synchronize`: the schema comes from migrations. */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const source = new DataSource({
    type: 'postgres',
    url: options.url,
    entities: [...options.entities],
    poolSize: options.poolSize,
    applicationName: options.applicationName,
    connectTimeoutMS: 5_000,
    synchronize: false,
    logging: false,
    installExtensions: false,
    extra: {
      Client: PreparingClient,
      // A server that is gone without a word is found out, also while a statement waits for it.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
      options: '-c timezone=UTC',
    },
  });
  return source.initialize();
}
