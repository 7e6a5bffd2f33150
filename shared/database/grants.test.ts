import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { migrations } from '../../bootstrap/migrations.js';
import { openDatabase, type Database } from './database.js';
import { excessOfRole } from './grants.js';
import { migrate } from './migrate.js';
import { prepareDatabase } from './store.js';

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
const schemas = migrations.map(({ schema }) => schema);

/** Replaces `lastro` in the statements, for databases and roles of this file's own. */
let name: string;
const sources: Database[] = [];

const readme = await readFile(new URL('../../docs/operations/configuration.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, sql = '']) => sql);
const [make = [], separate = []] = blocks.map((sql) => sql.split('\n').filter((line) => line !== ''));
const superuser = await connect(serverUrl);
afterAll(() => superuser.end());
beforeEach(() => {
  name = `dba_${randomBytes(4).toString('hex')}`;
});
afterEach(async () => {
  for (const source of sources.splice(0)) await source.destroy();
  await superuser.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await superuser.query(`DROP ROLE ${name}_owner, ${name}_app`);
  await superuser.query(`DROP ROLE IF EXISTS ${name}`);
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

function urlOf(role: string, password: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  [url.username, url.password] = [role, password];
  return url.href;
}

async function open(url: string): Promise<Database> {
  const source = await openDatabase({ url, poolSize: 2, applicationName: 'test' });
  sources.push(source);
  return source;
}

async function runAs(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement.replaceAll('lastro', name));
}

async function expectSeparated(): Promise<void> {
  const program = await open(urlOf(`${name}_app`, 'the password of the program'));
  await expect(prepareDatabase(program, undefined, migrations)).rejects.toThrow('DATABASE_ADMIN_URL');
  await prepareDatabase(program, urlOf(`${name}_owner`, 'the password of the owner'), migrations);
  expect(await prepareDatabase(program, undefined, migrations)).toBe(0);
  expect(await excessOfRole(program.manager, schemas)).toEqual([]);
  expect(await program.query('SELECT count(*) > 0 AS known FROM shared.holidays')).toEqual([{ known: true }]);
  await program.query('CREATE TEMP TABLE staged (a int)');
  await program.query('DELETE FROM accounts.accounts');
  for (const sql of ['CREATE TABLE public.mine ()', 'CREATE SCHEMA mine', 'DROP TABLE accounts.accounts'])
    await expect(program.query(sql)).rejects.toMatchObject({ code: '42501' });
}

test('the documented statements make a new database, which the owner migrates and the program uses', async () => {
  await runAs(superuser, make);
  await expectSeparated();
});

test('those for a database in which one role did everything leave it what it has', async () => {
  await superuser.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
  await superuser.query(`CREATE DATABASE ${name} OWNER ${name}`);
  const one = await open(urlOf(name, 'secret'));
  expect(await prepareDatabase(one, undefined, migrations)).toBeGreaterThan(10);
  expect(await excessOfRole(one.manager, schemas)).toEqual(['it may create or owns schemas or tables']);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const there = await connect(url.href);
  await runAs(there, separate);
  await there.end();
  await expectSeparated();
});

test('one role that both addresses name goes on as before', async () => {
  await runAs(superuser, make);
  const url = urlOf(`${name}_owner`, 'the password of the owner');
  const source = await open(url);
  await prepareDatabase(source, url, migrations);
  expect(await migrate(source, migrations)).toBe(0);
  await source.query('CREATE TABLE shared.more ()');
});
