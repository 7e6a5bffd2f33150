import { readdirSync, readFileSync } from 'node:fs';
import type { DataSource, EntityManager } from 'typeorm';
import { sha256 } from '../crypto.js';

/** A numbered step of one schema, forward only, written by hand in SQL. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /**
   * SHA-256 of texts that versions of the house applied under this name. What they did otherwise is made up for by a later
   * migration.
   */
  readonly formerly?: readonly string[];
}

/** The migrations of one PostgreSQL schema, in order. */
export interface SchemaMigrations {
  readonly schema: string;
  readonly migrations: readonly Migration[];
}

/** Reads `0001-name.sql`, `0002-…` of a folder, in order. Lines `-- formerly <SHA-256>` are no part of the text. */
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

// Any number that no one else locks: two processes that start at once migrate one after the other.
const migrationLock = 7_261_536_170;

/**
 * Brings every schema to its last migration, all in one transaction under a lock, and answers how many steps were taken.
 * A migration that was altered after it had been applied is refused: write a new one instead.
 */
export async function migrate(source: DataSource, all: readonly SchemaMigrations[]): Promise<number> {
  return source.transaction(async (manager) => {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await manager.query('SET LOCAL statement_timeout = 0');
    await manager.query(bookkeeping);
    let taken = 0;
    for (const { schema, migrations } of all) taken += await migrateSchema(manager, schema, migrations);
    return taken;
  });
}

async function migrateSchema(
  manager: EntityManager,
  schema: string,
  migrations: readonly Migration[],
): Promise<number> {
  const rows: { name: string; digest: string }[] = await manager.query(
    'SELECT name, digest FROM shared.migrations WHERE schema = $1',
    [schema],
  );
  const applied = new Map(rows.map((row) => [row.name, row.digest]));
  let taken = 0;
  for (const { name, sql, formerly = [] } of migrations) {
    const digest = sha256(sql).toString('hex');
    const known = applied.get(name);
    if (known === digest || (known !== undefined && formerly.includes(known))) continue;
    if (known !== undefined) {
      throw new Error(
        `Migration ${schema}/${name} was altered after it had been applied. Undo the change and write a new migration`,
      );
    }
    await manager.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await manager.query(sql);
    await manager.query('INSERT INTO shared.migrations (schema, name, digest) VALUES ($1, $2, $3)', [
      schema,
      name,
      digest,
    ]);
    taken += 1;
  }
  return taken;
}

/** The migrations that a database still lacks, as `schema/name`: none when it is ready. */
export async function pendingMigrations(source: DataSource, all: readonly SchemaMigrations[]): Promise<string[]> {
  const rows: { id: string }[] = await source.query(`SELECT schema || '/' || name AS id FROM shared.migrations`);
  const applied = new Set(rows.map((row) => row.id));
  return all
    .flatMap(({ schema, migrations }) => migrations.map(({ name }) => `${schema}/${name}`))
    .filter((id) => !applied.has(id));
}
