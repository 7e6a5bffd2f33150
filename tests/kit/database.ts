import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { migrations } from '../../bootstrap/migrations.js';
import { sha256 } from '../../shared/security/crypto.js';
import { openDatabase, type DatabaseOptions } from '../../shared/database/database.js';
import { prepareDatabase } from '../../shared/database/store.js';
import { until } from './until.js';

/** A database of a test file's own: every migration applied, nothing in it but the holidays. */
export type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;

const variables = {
  superuser: 'TEST_DATABASE_URL',
  owner: 'TEST_DATABASE_OWNER_URL',
  program: 'TEST_DATABASE_APP_URL',
  pooler: 'TEST_DATABASE_POOLER_URL',
} as const;

function urlOf(role: keyof typeof variables, database?: string): string {
  const text = process.env[variables[role]];
  if (text === undefined)
    throw new Error(`${variables[role]} is not set: run the tests through \`npm test\`, which starts PostgreSQL`);
  const url = new URL(text);
  if (database !== undefined) url.pathname = `/${database}`;
  return url.href;
}

/** The address by which the program of a test reaches its database: through the pooler where the run has one. */
const programUrl = (database: string) =>
  urlOf(process.env[variables.pooler] === undefined ? 'program' : 'pooler', database);

const onServer = <T>(work: (client: Client) => Promise<T>) => withClient(urlOf('superuser'), work);

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

type Template = 'empty' | 'demo';

/** The files of which demo data are made, in an order of their own. */
function programTexts(): string[] {
  return ['subgraphs/', 'shared/'].flatMap((folder) => {
    const url = new URL(`../../${folder}`, import.meta.url);
    const names = readdirSync(url, { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => /(?<!\.test)\.ts$/.test(name))
      .sort()
      .map((name) => readFileSync(new URL(name, url), 'utf8'));
  });
}

/**
 * The name of a database with every migration applied, and of one that holds the demo data besides; each is made once for
 * all runs with the same migrations, or the same code in the same hour.
 */
async function template(kind: Template): Promise<string> {
  const contents = [
    JSON.stringify(migrations),
    ...(kind === 'demo' ? [process.env['TEST_HOUR'], ...programTexts()] : []),
  ];
  const name = `lastro_${kind}_${sha256(contents.join('\n')).toString('hex').slice(0, 12)}`;
  await onServer(async (client) => {
    // Others make it meanwhile, which may take minutes.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock(42)');
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [name]);
    if (rowCount === 1) return;
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name} OWNER lastro_owner`);
    // Loaded only by the one who makes the template: the domains are many modules, and most tests need none of them.
    const { fillDemo } = kind === 'demo' ? await import('./demo.js') : { fillDemo: undefined };
    const url = urlOf('program', name);
    const source = await openDatabase({ url, poolSize: 2, applicationName: 'template' });
    await prepareDatabase(source, urlOf('owner', name), migrations);
    await source.destroy();
    await withClient(urlOf('owner', name), (owner) =>
      owner.query('ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO lastro_app'),
    );
    await fillDemo?.(url);
    await client.query(`ALTER DATABASE ${name} IS_TEMPLATE true`);
  });
  return name;
}

export interface TestDatabaseOptions extends Partial<
  Pick<DatabaseOptions, 'entities' | 'poolSize' | 'statementTimeoutMs'>
> {
  /** What the database holds when it opens; `empty` when not given. */
  readonly template?: Template;
}

/** Clones the template for one test file. */
export async function openTestDatabase({ template: kind = 'empty', ...options }: TestDatabaseOptions = {}) {
  const source = await template(kind);
  const name = `lastro_test_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${source} OWNER lastro_owner`));
  const [url, ownerUrl] = [programUrl(name), urlOf('owner', name)];
  const dataSource = await openDatabase({ url, poolSize: 10, applicationName: 'test', ...options });
  let owner: Promise<Client> | undefined;
  return {
    /** As the role of the program. */
    url,
    ownerUrl,
    /** The same without the pooler that a run may have, for sessions with settings of their own. */
    directUrl: urlOf('program', name),
    superuserUrl: urlOf('superuser', name),
    /** As the role of the program, which may read and write rows and no more. */
    dataSource,
    /** Runs statements that the program may not: TRUNCATE, ALTER, and CREATE TABLE in `public`, where the program may use the table. */
    asOwner: async (sql: string) => {
      await (await (owner ??= connect(ownerUrl))).query(sql);
    },
    /** Closes the data source and drops the database. */
    close: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await (await owner)?.end();
      await onServer((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

interface Queried {
  query(text: string): Promise<readonly unknown[]>;
}

/** Whether a connection of the database, or so many, waits for a lock of another one. */
export async function isBlocked(database: Queried, count = 1): Promise<boolean> {
  const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await database.query(text)).length >= count;
}

export const untilBlocked = (database: Queried, count = 1) =>
  until(`${count} that wait for a lock`, () => isBlocked(database, count));

/** A database without any schema of ours. */
export interface BareDatabase extends Pick<TestDatabase, 'url' | 'directUrl' | 'ownerUrl' | 'close'> {
  /** Drops everything in it. */
  empty(): Promise<void>;
}

/** Creates a database as an operator does before the first start. */
export async function openBareDatabase(): Promise<BareDatabase> {
  const name = `lastro_test_${randomBytes(6).toString('hex')}`;
  const create = () => onServer((client) => client.query(`CREATE DATABASE ${name} OWNER lastro_owner`));
  const drop = () => onServer((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  await create();
  return {
    url: programUrl(name),
    directUrl: urlOf('program', name),
    ownerUrl: urlOf('owner', name),
    empty: async () => {
      await drop();
      await create();
    },
    close: async () => {
      await drop();
    },
  };
}
