import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openTestDatabase, type TestDatabase } from '../../tests/kit/database.js';
import { sha256 } from '../crypto.js';
import { openDatabase, type Database } from './database.js';
import { migrate, pendingMigrations, readMigrations, type Migration } from './migrate.js';

const first = 'CREATE TABLE room.things (id int PRIMARY KEY);\n';
const second = 'ALTER TABLE room.things ADD COLUMN name text;\n';

let database: TestDatabase;
let owner: Database;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 });
  owner = await openDatabase({ url: database.ownerUrl, poolSize: 4, applicationName: 'test' });
});
afterAll(async () => {
  await owner.destroy();
  await database.close();
});
beforeEach(async () => {
  await owner.query(`DROP SCHEMA IF EXISTS room CASCADE; DELETE FROM shared.migrations WHERE schema = 'room'`);
});

const of = (...migrations: Migration[]) => [{ schema: 'room', migrations }];
const run = (...migrations: Migration[]) => migrate(owner, of(...migrations));
const named = (name: string, sql: string, formerly: string[] = []): Migration => ({ name, sql, formerly });

test('each migration is applied once, in order, by whichever of several starts comes first', async () => {
  const both = [named('0001-a', first), named('0002-b', second)];
  expect((await Promise.all([run(...both), run(...both), run(...both)])).toSorted()).toEqual([0, 0, 2]);
  expect(await pendingMigrations(owner, of(...both, named('0003-c', '')))).toEqual(['room/0003-c']);
});

test('one that fails leaves nothing of those before it', async () => {
  await expect(run(named('0001-a', first), named('0002-b', 'ALTER TABLE room.nothing ADD x int'))).rejects.toThrow();
  expect(await owner.query(`SELECT to_regclass('room.things') AS name`)).toEqual([{ name: null }]);
  expect(await run(named('0001-a', first))).toBe(1);
});

test('one that was altered after it had been applied is refused, and nothing is done', async () => {
  await run(named('0001-a', first));
  await expect(run(named('0001-a', `${first}-- more`), named('0002-b', second))).rejects.toThrow(
    'Migration room/0001-a was altered after it had been applied',
  );
});

test('a text that an earlier version applied under the name is as good as the one of today', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-migrations-'));
  try {
    const digest = sha256(first).toString('hex');
    await writeFile(join(folder, '0001-a.sql'), `-- formerly ${digest}\n-- Things.\n${first}`);
    const [migration] = readMigrations(pathToFileURL(`${folder}/`));
    expect(migration).toEqual({ name: '0001-a', sql: `-- Things.\n${first}`, formerly: [digest] });
    await run(named('0001-a', first));
    expect(await run(...(migration === undefined ? [] : [migration]), named('0002-b', second))).toBe(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
