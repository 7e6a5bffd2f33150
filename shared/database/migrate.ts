import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../security/crypto.js';
import type { Database } from './database.js';
import { applyGrants } from './grants.js';
import { allowLongStatements } from './long-statements.js';
import type { Manager } from './manager.js';
import { PreparingClient } from './preparing-client.js';

/** A numbered, forward-only step of one schema, written by hand in SQL. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export interface SchemaMigrations {
  readonly schema: string;
  readonly migrations: readonly Migration[];
}

/** Reads `0001-name.sql`, `0002-…` of a folder, in order. */
export function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((file) => ({ name: file.slice(0, -4), sql: readFileSync(new URL(file, folder), 'utf8') }));
}

const bookkeeping = `
  CREATE SCHEMA IF NOT EXISTS shared;
  CREATE TABLE IF NOT EXISTS shared.migrations (
    schema text NOT NULL,
    name text NOT NULL,
    digest text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (schema, name)
  );`;

/** For a step on a large table, and for waiting while another process migrates. */
const longestStatementMs = 60 * 60_000;

/** How long a step waits for a table that others use. Whoever asks for the table meanwhile waits behind it, so it soon gives way and tries again. */
const lockPatienceMs = 2_000;
const lockAttempts = 60;
const longestPauseMs = 10_000;

const lockLookMs = 100;

// An arbitrary number that nothing else locks: two processes that start at once migrate one after the other.
const migrationLock = 7_261_536_170;

/** The first line of a migration whose statements run one by one and outside of a transaction, as CREATE INDEX CONCURRENTLY must; each of them may run again. */
const aloneText = '-- outside of a transaction\n';

export interface MigrateOptions {
  /** The role that the program connects as, if it differs from the migrating one: it is granted its privileges. */
  readonly applicationRole?: string;
  readonly onWait?: (message: string) => void;
}

/**
 * Migrates every schema under a lock; returns how many steps. One that fails leaves those before it; a current database is only read.
 * @throws Error when an applied migration was altered, the role may not apply one, or a table stays in use
 */
export async function migrate(
  source: Database,
  all: readonly SchemaMigrations[],
  { applicationRole, onWait = () => undefined }: MigrateOptions = {},
): Promise<number> {
  let lacking: readonly string[] = [];
  try {
    lacking = await lackingMigrations(source, all);
    if (lacking.length === 0 && applicationRole === undefined) return 0;
    return await underLock(source, async () => {
      const steps = await lackingIn(source.manager, all);
      for (const group of groupsOf(steps)) await applyGroup(source, group, onWait);
      const schemas = all.map(({ schema }) => schema);
      if (applicationRole !== undefined) {
        await source.manager.inTransaction((manager) => applyGrants(manager, schemas, applicationRole));
      }
      return steps.length;
    });
  } catch (error) {
    if (!isRefused(error)) throw error;
    const what = lacking.length === 0 ? 'read which migrations it has' : `apply its migrations ${lacking.join(', ')}`;
    throw new Error(
      `The role of the database may not ${what} (${error.message}). ` +
        'Run `npm run lastro -- migrate` with DATABASE_ADMIN_URL, the address of the role that owns the schemas, and start again',
      { cause: error },
    );
  }
}

/** Uses a transaction lock: behind a pooler, a session lock would pass to another client. CREATE INDEX CONCURRENTLY does not wait for this transaction, which holds no snapshot. */
function underLock<T>(source: Database, work: () => Promise<T>): Promise<T> {
  return source.manager.inTransaction(async (manager) => {
    await allowLongStatements(manager, longestStatementMs);
    await manager.execute('SET LOCAL idle_in_transaction_session_timeout = 0');
    // Asked for again and again, and without parameters: a statement that waits, or one with parameters until the next one, keeps a snapshot, for which
    // CREATE INDEX CONCURRENTLY of the process that migrates would wait.
    while ((await manager.value(`SELECT pg_try_advisory_xact_lock(${migrationLock})`)) !== true)
      await sleep(lockLookMs);
    return work();
  });
}

/** Groups steps that follow each other; one outside of a transaction is a group of its own. */
function groupsOf(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last === undefined || isAlone(step) || last.some(isAlone)) groups.push([step]);
    else last.push(step);
  }
  return groups;
}

const isAlone = ({ sql }: Migration): boolean => sql.startsWith(aloneText);

async function applyGroup(source: Database, group: readonly Step[], onWait: (message: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [first] = group;
      if (first !== undefined && isAlone(first)) await applyAlone(source, first);
      else await applyTogether(source, group);
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const what = `A table of the migrations ${namesOf(group).join(', ')} is in use by others`;
      if (attempt >= lockAttempts)
        throw new Error(`${what}: end their transactions, and migrate again`, { cause: error });
      if (attempt === 1) onWait(`${what}; trying again until it is free`);
      await sleep(Math.min(attempt * 500, longestPauseMs));
    }
  }
}

function applyTogether(source: Database, steps: readonly Step[]): Promise<void> {
  return source.manager.inTransaction(async (manager) => {
    await allowLongStatements(manager, longestStatementMs);
    await manager.execute(`SET LOCAL lock_timeout = ${lockPatienceMs}`);
    await manager.execute(bookkeeping);
    for (const step of steps) {
      await manager.execute(`CREATE SCHEMA IF NOT EXISTS "${step.schema}"`);
      await manager.execute(step.sql);
      await note(manager, step);
    }
  });
}

/** Runs each statement of a step by itself. A run that is cut off begins the step anew. */
async function applyAlone(source: Database, step: Step): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    const client: unknown = await runner.connect();
    if (client instanceof PreparingClient) client.allowLongStatements(longestStatementMs);
    const statements = step.sql.split(/;[ \t]*\n/).filter((text) => text.replace(/--.*/g, '').trim() !== '');
    // The role's own limit would end a long statement; a statement outside of a transaction has none of its own.
    await runner.query('SET statement_timeout = 0');
    for (const statement of statements) await runner.query(statement);
  } finally {
    await runner.query('RESET statement_timeout').catch(() => undefined);
    await runner.release();
  }
  await source.manager.inTransaction((manager) => note(manager, step));
}

/** Whether a lock could not be taken in time (lock_not_available). */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

/** Whether PostgreSQL rejected a statement because the role lacks a privilege (insufficient_privilege). */
export function isRefused(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === '42501';
}

interface Step extends Migration {
  readonly schema: string;
  readonly digest: string;
}

const namesOf = (steps: readonly Step[]): string[] => steps.map(({ schema, name }) => `${schema}/${name}`);

/** Returns the migrations that the database lacks, in order. @throws Error when one was altered after it had been applied */
async function lackingIn(manager: Manager, all: readonly SchemaMigrations[]): Promise<Step[]> {
  const applied = await appliedIn(manager);
  const steps = all.flatMap(({ schema, migrations }) =>
    migrations.map((migration) => ({ ...migration, schema, digest: sha256(migration.sql).toString('hex') })),
  );
  return steps.filter(({ schema, name, digest }) => {
    const known = applied.get(`${schema}/${name}`);
    if (known === undefined) return true;
    if (known === digest) return false;
    throw new Error(
      `Migration ${schema}/${name} was altered after it had been applied. Undo the change and write a new migration`,
    );
  });
}

/** Returns the digests of the applied migrations, by `schema/name`; none in a new database. */
async function appliedIn(manager: Manager): Promise<ReadonlyMap<string, string>> {
  const { known } = await manager.one<{ known: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'shared' AND c.relname = 'migrations') AS known`,
  );
  if (!known) return new Map();
  const rows = await manager.rows<{ id: string; digest: string }>(
    `SELECT schema || '/' || name AS id, digest FROM shared.migrations`,
  );
  return new Map(rows.map(({ id, digest }) => [id, digest]));
}

async function note(manager: Manager, { schema, name, digest }: Step): Promise<void> {
  await manager.execute('INSERT INTO shared.migrations (schema, name, digest) VALUES ($1, $2, $3)', [
    schema,
    name,
    digest,
  ]);
}

/** Returns the migrations that a database still lacks, as `schema/name`: none when it is ready. @throws Error when one was altered after it had been applied */
export async function lackingMigrations(source: Database, all: readonly SchemaMigrations[]): Promise<string[]> {
  return namesOf(await lackingIn(source.manager, all));
}
