import { readdirSync, readFileSync } from 'node:fs';
import { sha256 } from '../crypto.js';
import type { Database } from './database.js';
import { applyGrants } from './grants.js';
import { allowLongStatements } from './long-statements.js';
import type { Manager } from './manager.js';

/** A numbered, forward-only step of one schema, written by hand in SQL. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of other texts that earlier versions of the program applied under this name. A later migration makes up for the differences. */
  readonly formerly?: readonly string[];
}

/** The migrations of one PostgreSQL schema, in order. */
export interface SchemaMigrations {
  readonly schema: string;
  readonly migrations: readonly Migration[];
}

/** Reads `0001-name.sql`, `0002-…` of a folder, in order. Lines `-- formerly <SHA-256>` are not part of the text. */
export function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const formerly = [...text.matchAll(formerText)].flatMap(([, digest]) => digest ?? []);
      return { name: file.slice(0, -4), sql: text.replace(formerText, ''), formerly };
    });
}

const formerText = /^-- formerly ([0-9a-f]{64})\n/gm;

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

// An arbitrary number that nothing else locks: two processes that start at once migrate one after the other.
const migrationLock = 7_261_536_170;

export interface MigrateOptions {
  /** The role that the program connects as, if it differs from the migrating one: it is granted its privileges. */
  readonly applicationRole?: string;
}

/**
 * Brings every schema to its last migration, in one transaction under a lock, and returns how many steps were applied. A database at its last migration
 * is only read, so a role without further privileges can check.
 *
 * @throws Error when a migration was altered after it had been applied (write a new one instead), or when the role may not apply one
 */
export async function migrate(
  source: Database,
  all: readonly SchemaMigrations[],
  { applicationRole }: MigrateOptions = {},
): Promise<number> {
  let lacking: readonly string[] = [];
  try {
    lacking = namesOf(await lackingIn(source.manager, all));
    if (lacking.length === 0 && applicationRole === undefined) return 0;
    return await source.manager.inTransaction(async (manager) => {
      await allowLongStatements(manager, longestStatementMs);
      await manager.execute('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
      const steps = lacking.length === 0 ? [] : await lackingIn(manager, all);
      if (steps.length > 0) await manager.execute(bookkeeping);
      for (const step of steps) await apply(manager, step);
      const schemas = all.map(({ schema }) => schema);
      if (applicationRole !== undefined) await applyGrants(manager, schemas, applicationRole);
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

/** Whether PostgreSQL rejected a statement because the role lacks a privilege (insufficient_privilege). */
function isRefused(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === '42501';
}

/** A migration that is to be applied. */
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
  return steps.filter(({ schema, name, digest, formerly = [] }) => {
    const known = applied.get(`${schema}/${name}`);
    if (known === undefined) return true;
    if (known === digest || formerly.includes(known)) return false;
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

async function apply(manager: Manager, { schema, name, sql, digest }: Step): Promise<void> {
  await manager.execute(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  await manager.execute(sql);
  await manager.execute('INSERT INTO shared.migrations (schema, name, digest) VALUES ($1, $2, $3)', [
    schema,
    name,
    digest,
  ]);
}

/** Returns the migrations that a database still lacks, as `schema/name`: none when it is ready. */
export async function pendingMigrations(source: Database, all: readonly SchemaMigrations[]): Promise<string[]> {
  const rows: { id: string }[] = await source.query(`SELECT schema || '/' || name AS id FROM shared.migrations`);
  const applied = new Set(rows.map((row) => row.id));
  return all
    .flatMap(({ schema, migrations }) => migrations.map(({ name }) => `${schema}/${name}`))
    .filter((id) => !applied.has(id));
}
