import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntitySchema, type QueryRunner } from 'typeorm';
import { connectionSettings } from './own-pool.js';
import { Manager } from './manager.js';
import { PreparingClient, responseMarginMs } from './preparing-client.js';
import { DatabaseNotOpen, unavailability } from './unavailable.js';

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly entities?: readonly (EntitySchema | (new () => object))[];
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Time limit of a statement outside of imports and migrations; by default the role's limit in its database, or else 30,000 ms. */
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

function databaseOf({
  url,
  entities = [],
  poolSize,
  applicationName,
  statementTimeoutMs = longestTimeoutMs,
}: DatabaseOptions): Database {
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

/** Settings of every connection, by pg_settings' names. They belong to the role, since poolers refuse them at a connection's start. */
const always = { TimeZone: 'UTC', idle_in_transaction_session_timeout: '60000' };

/** The time limit of a statement where none was chosen. No limit is longer, so that a connection without a chosen one waits for all. */
const longestTimeoutMs = 30_000;

/** An arbitrary number that nothing else locks: two processes that start at once would change one row of the catalogue. */
const settingsLock = 7_261_536_172;

/**
 * Gives the role its missing settings and opens connections anew, a pooler's too. @param statementTimeoutMs omitted, the role's own limit stays
 * @throws {DatabaseNotOpen} when a pooler still lends connections from before
 */
async function settleRole(database: Database, statementTimeoutMs?: number): Promise<void> {
  const timeout = statementTimeoutMs ?? ((await timeoutOn(database)) || longestTimeoutMs);
  const wanted = { ...always, statement_timeout: String(timeout) };
  if ((await lackingOn(database, wanted)).length === 0) return;
  await database.manager.inTransaction(async (manager) => {
    await manager.execute('SELECT pg_advisory_xact_lock($1)', [settingsLock]);
    const changes = Object.entries(wanted).map(
      ([name, value]) =>
        `EXECUTE format('ALTER ROLE %I IN DATABASE %I SET ${name} = %L', current_user, current_database(), '${value}');`,
    );
    await manager.execute(`DO $$ BEGIN ${changes.join(' ')} END $$`);
  });
  await reopen(database);
  if ((await lackingOn(database, wanted)).length === 0) return;
  await endIdleConnections(database);
  await reopen(database);
  const lacking = await lackingOn(database, wanted);
  if (lacking.length === 0) return;
  throw new DatabaseNotOpen(
    `The role of the database now has the settings ${lacking.join(', ')}, but its connections do not: a connection pooler holds some from before. ` +
      'Let the pooler open them anew (PgBouncer: RECONNECT on its console), and start again',
  );
}

async function reopen(database: Database): Promise<void> {
  await database.destroy();
  await database.initialize();
}

/** Ends the idle connections of the role to the database, and last of all the one that does so. Those in use keep what they have: nobody loses a transaction. */
async function endIdleConnections({ manager }: Database): Promise<void> {
  try {
    await manager.execute(
      `SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND (state = 'idle' OR pid = pg_backend_pid()) ORDER BY pid = pg_backend_pid()`,
    );
  } catch (error) {
    // The end of the own connection.
    if (unavailability(error)?.reason !== 'unreachable') throw error;
  }
}

/** Returns the time limit of a connection's statements in milliseconds; 0 where it has none. */
function timeoutOn({ manager }: Database): Promise<number> {
  return manager.countRows(`SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout'`);
}

async function lackingOn({ manager }: Database, wanted: Readonly<Record<string, string>>): Promise<string[]> {
  return manager.values<string>(
    `SELECT wanted.name FROM jsonb_each_text($1) AS wanted (name, value)
     LEFT JOIN pg_settings USING (name) WHERE setting IS DISTINCT FROM value ORDER BY wanted.name`,
    [JSON.stringify(wanted)],
  );
}

/** Runs one prepared statement on two connections: a pooler that lends both one server connection refuses the second. @throws {DatabaseNotOpen} then */
async function checkPreparing(database: Database): Promise<void> {
  const runners = [database.createQueryRunner(), database.createQueryRunner()];
  try {
    for (const runner of runners) await runner.query('SELECT $1::text', ['prepared']);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '42P05')) throw error;
    throw new DatabaseNotOpen(
      'The connection pooler at DATABASE_URL mixes up the prepared statements of its clients. Give it max_prepared_statements (PgBouncer 1.21 or later), ' +
        'or end DATABASE_URL with ?prepared_statements=false',
      { cause: error },
    );
  } finally {
    await Promise.all(runners.map((runner) => runner.release()));
  }
}
