import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntitySchema, type QueryRunner } from 'typeorm';
import { connectionSettings } from './own-pool.js';
import { Manager } from './manager.js';
import { PreparingClient, responseMarginMs } from './preparing-client.js';
import { checkPreparing, longestTimeoutMs, settleRole } from './role-settings.js';
import { DatabaseNotOpen, unavailability } from './unavailable.js';

/** Called with each new connection of a pool, and refuses it by an error; the connection is lent once `done` is called without one. */
export type VerifyConnection = (client: PreparingClient, done: (error?: Error) => void) => void;

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly entities?: readonly (EntitySchema | (new () => object))[];
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Time limit of a statement outside of imports and migrations; by default that of the role in its database, or else 30,000 ms. */
  readonly statementTimeoutMs?: number;
  /** How long to wait for a PostgreSQL that is unavailable or still starting; by default, no time at all. */
  readonly patienceMs?: number;
  /** Called once, with a sentence for the log, when the database has to be waited for. */
  readonly onWait?: (message: string) => void;
}

export class Database extends DataSource {
  declare readonly manager: Manager;

  override createEntityManager(queryRunner?: QueryRunner): Manager {
    return new Manager(this, queryRunner);
  }
}

const firstPauseMs = 250;
const longestPauseMs = 4_000;

/** Opens this process' data source, never with `synchronize`. @throws {DatabaseNotOpen} when PostgreSQL refuses, or not within `patienceMs` */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { patienceMs = 0, onWait = () => undefined } = options;
  const deadline = Date.now() + patienceMs;
  for (let pauseMs = firstPauseMs, reported = false; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await opened(databaseOf(options), options);
    } catch (error) {
      const reason = unavailability(error)?.reason;
      if (reason === undefined) throw error;
      if (reason === 'refused' || Date.now() + pauseMs > deadline) throw notOpen(options, error, patienceMs);
      if (!reported) onWait(`${placeOf(options)} does not accept connections yet (${wordsOf(error)}); waiting for it`);
      reported = true;
      await sleep(pauseMs);
    }
  }
}

async function opened(database: Database, { poolSize, statementTimeoutMs }: DatabaseOptions): Promise<Database> {
  await database.initialize();
  try {
    await settleRole(database, statementTimeoutMs);
    if (poolSize > 1) await checkPreparing(database);
    return database;
  } catch (error) {
    if (database.isInitialized) await database.destroy();
    throw error;
  }
}

/** Opens the data source of a standby, whose role has its settings from the primary. @param verify checks that a connection leads to the server that is meant */
export async function openStandby(options: DatabaseOptions, verify: VerifyConnection): Promise<Database> {
  const database = databaseOf(options, { verify });
  await database.initialize();
  return database;
}

function databaseOf(
  { url, entities = [], poolSize, applicationName, statementTimeoutMs = longestTimeoutMs }: DatabaseOptions,
  more: { readonly verify?: VerifyConnection } = {},
): Database {
  return new Database({
    type: 'postgres',
    url,
    entities: [...entities],
    poolSize,
    applicationName,
    synchronize: false,
    logging: false,
    installExtensions: false,
    extra: {
      ...connectionSettings,
      Client: PreparingClient,
      query_timeout: statementTimeoutMs + responseMarginMs,
      ...more,
    },
  });
}

function notOpen(options: DatabaseOptions, cause: unknown, patienceMs: number): DatabaseNotOpen {
  const waited = patienceMs === 0 ? '' : ` for ${Math.round(patienceMs / 1000)} seconds`;
  const what =
    unavailability(cause)?.reason === 'refused' ? 'refused the connection' : `accepted no connection${waited}`;
  return new DatabaseNotOpen(`${placeOf(options)} ${what}: ${wordsOf(cause)}. Check DATABASE_URL and the server`, {
    cause,
  });
}

/** Returns the server's address without the password. */
function placeOf({ url }: DatabaseOptions): string {
  const { hostname, port, pathname } = URL.canParse(url) ? new URL(url) : { hostname: '', port: '', pathname: '' };
  return `PostgreSQL at ${hostname === '' ? 'the address of DATABASE_URL' : `${hostname}:${port === '' ? '5432' : port}${pathname}`}`;
}

function wordsOf(error: unknown): string {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return inner instanceof Error ? inner.message : String(inner);
}
