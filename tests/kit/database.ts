import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { migrations } from '../../house/migrations.js';
import { sha256 } from '../../shared/crypto.js';
import { openDatabase, type DatabaseOptions } from '../../shared/database/database.js';
import { migrate } from '../../shared/database/migrate.js';

/** A database of a test file's own: every migration applied, nothing in it but the holidays. */
export interface TestDatabase {
  readonly url: string;
  readonly dataSource: DataSource;
  /** Closes the data source and drops the database. */
  close(): Promise<void>;
}

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined)
    throw new Error('TEST_DATABASE_URL is not set: run the tests through `npm test`, which starts PostgreSQL');
  return url;
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

type Template = 'empty' | 'demo';

/**
 * The name of a database with every migration applied, and of one that holds the demo data besides; each is made once for
 * all test files of a run.
 */
async function template(kind: Template): Promise<string> {
  const digest = sha256(JSON.stringify(migrations)).toString('hex').slice(0, 12);
  const name = `lastro_${kind}_${digest}`;
  await onServer(async (client) => {
    await client.query('SELECT pg_advisory_lock(42)');
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [name]);
    if (rowCount === 1) return;
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name}`);
    // Loaded only by the one who makes the template: the domains are many modules, and most tests need none of them.
    const { fillDemo } = kind === 'demo' ? await import('./demo.js') : { fillDemo: undefined };
    const source = await openDatabase({ url: urlOf(name), poolSize: 2, entities: [], applicationName: 'template' });
    await migrate(source, migrations);
    await source.destroy();
    await fillDemo?.(urlOf(name));
    await client.query(`ALTER DATABASE ${name} IS_TEMPLATE true`);
  });
  return name;
}

export interface TestDatabaseOptions extends Partial<Pick<DatabaseOptions, 'entities' | 'poolSize'>> {
  /** What the database holds when it opens; `empty` when not given. */
  readonly template?: Template;
}

/** Clones the template for one test file. */
export async function openTestDatabase({
  template: kind = 'empty',
  ...options
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const source = await template(kind);
  const name = `lastro_test_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`));
  const url = urlOf(name);
  const dataSource = await openDatabase({ url, poolSize: 10, entities: [], applicationName: 'test', ...options });
  return {
    url,
    dataSource,
    close: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await onServer((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}
