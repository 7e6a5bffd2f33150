import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../tests/kit/database.js';
import { until } from '../../tests/kit/until.js';
import { openDatabase } from './database.js';
import { lackingMigrations, migrate, type Migration } from './migrate.js';

const first = 'CREATE TABLE room.things (id int PRIMARY KEY);\n';
const second = 'ALTER TABLE room.things ADD COLUMN name text;\n';

const database = await openTestDatabase({ poolSize: 1 });
const owner = await openDatabase({ url: database.ownerUrl, poolSize: 4, applicationName: 'test' });
afterAll(async () => {
  await owner.destroy();
  await database.close();
});
beforeEach(async () => {
  await owner.query(`DROP SCHEMA IF EXISTS room CASCADE; DELETE FROM shared.migrations WHERE schema = 'room'`);
});

const of = (...migrations: Migration[]) => [{ schema: 'room', migrations }];
const run = (...migrations: Migration[]) => migrate(owner, of(...migrations));
const named = (name: string, sql: string): Migration => ({ name, sql });

test('each migration is applied once, in order, by whichever of several starts comes first', async () => {
  const both = [named('0001-a', first), named('0002-b', second)];
  expect((await Promise.all([run(...both), run(...both), run(...both)])).toSorted()).toEqual([0, 0, 2]);
  expect(await lackingMigrations(owner, of(...both, named('0003-c', '')))).toEqual(['room/0003-c']);
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

test('a table that others use is waited for in turns, so that others get on with it; once it is free the migration is applied', async () => {
  await run(named('0001-a', first));
  const runner = owner.createQueryRunner();
  await runner.startTransaction();
  await runner.query('SELECT * FROM room.things');
  const words: string[] = [];
  const migrating = migrate(owner, of(named('0001-a', first), named('0002-b', second)), {
    onWait: (message) => words.push(message),
  });
  await until('the word that the table is in use', () => words.length > 0);
  // Nobody stands in the queue before this reader for longer than one attempt.
  expect(await owner.query('SELECT * FROM room.things')).toEqual([]);
  await runner.rollbackTransaction();
  await runner.release();
  expect(await migrating).toBe(1);
  expect(words).toEqual([expect.stringMatching(/^A table of the migrations room\/0002-b is in use by others/)]);
});

describe('a migration outside of a transaction', () => {
  const index = [
    '-- outside of a transaction',
    'DROP INDEX CONCURRENTLY IF EXISTS room.things_by_name;',
    '-- May take long; nobody waits.',
    'CREATE INDEX CONCURRENTLY things_by_name ON room.things (name);',
    '',
  ].join('\n');

  test('builds an index while a transaction that writes to the table is open, by whichever start comes first', async () => {
    await run(named('0001-a', first), named('0002-b', second));
    const all = [named('0001-a', first), named('0002-b', second), named('0003-c', index)];
    const runner = owner.createQueryRunner();
    await runner.query('INSERT INTO room.things VALUES (1)');
    await runner.release();
    expect((await Promise.all([run(...all), run(...all)])).toSorted()).toEqual([0, 1]);
    expect(
      await owner.query(`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'room.things_by_name'::regclass`),
    ).toEqual([{ valid: true }]);
  });

  test('is begun anew after a run that was cut off, and what came before it stays', async () => {
    const broken = index.replace('room.things (name)', 'room.things (nothing)');
    await expect(run(named('0001-a', first), named('0002-b', broken))).rejects.toThrow('nothing');
    expect(await lackingMigrations(owner, of(named('0001-a', first), named('0002-b', broken)))).toEqual([
      'room/0002-b',
    ]);
    const whole = [named('0001-a', first), named('0002-b', index.replace('(name)', '(id)'))];
    expect(await run(...whole)).toBe(1);
    expect(await run(...whole)).toBe(0);
  });
});
