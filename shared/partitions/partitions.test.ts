import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { testContext } from '../../tests/kit/context.js';
import { openTestDatabase, type TestDatabase } from '../../tests/kit/database.js';
import type { Context } from '../context.js';
import { dropPast } from './drop-past.js';
import { partitionsJob } from './keep-partitions.js';
import { partitionStates } from './partitions.store.js';

let database: TestDatabase;
let context: Context;

const dayMs = 86_400_000;
let made = 0;
/** A UUIDv7 of a moment; `newId` never goes back behind the latest moment that it was asked for. */
const newId = (ms = Date.now()): string => {
  made += 1;
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${made.toString(16).padStart(12, '0')}`;
};
const inDays = (days: number) => Date.now() + days * dayMs;

beforeAll(async () => {
  database = await openTestDatabase();
  context = testContext({ manager: database.dataSource.manager });
  // For the test of what the previous version's tables become.
  await database.asOwner(`
    CREATE FUNCTION shared.drop_of_growing(p_before timestamptz) RETURNS text LANGUAGE sql SECURITY DEFINER AS $$
      SELECT name FROM shared.drop_partition('shared.growing', p_before, 'SELECT FROM %1$s WHERE is_kept') $$`);
});
afterAll(() => database.close());

/** A table as a version before would have it, with an index, a trigger, a foreign key and rows. */
beforeEach(async () => {
  await database.asOwner(`
    DROP TABLE IF EXISTS shared.growing, shared.growing_owner, shared.growing_note;
    DELETE FROM shared.partitioned_tables WHERE name = 'shared.growing';
    CREATE TABLE shared.growing_owner (id integer PRIMARY KEY);
    INSERT INTO shared.growing_owner VALUES (1);
    CREATE TABLE shared.growing (
      id uuid PRIMARY KEY, owner_id integer NOT NULL DEFAULT 1 REFERENCES shared.growing_owner, is_kept boolean NOT NULL DEFAULT false,
      number bigint GENERATED ALWAYS AS IDENTITY, CONSTRAINT growing_owner_positive CHECK (owner_id > 0));
    CREATE INDEX growing_kept ON shared.growing (id) WHERE is_kept;
    CREATE TABLE shared.growing_note (growing_id uuid REFERENCES shared.growing);
    CREATE OR REPLACE FUNCTION shared.refuse_growing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''It stands''; END';
    CREATE TRIGGER growing_stands BEFORE UPDATE ON shared.growing FOR EACH STATEMENT EXECUTE FUNCTION shared.refuse_growing();
    ALTER TABLE shared.growing ENABLE ALWAYS TRIGGER growing_stands;
    GRANT SELECT, INSERT ON shared.growing TO lastro_app`);
});

const add = (id: string) => context.manager.execute('INSERT INTO shared.growing (id) VALUES ($1)', [id]);
const ids = () => context.manager.values<string>('SELECT id FROM shared.growing ORDER BY id');
const prepare = `SELECT shared.prepare_partitions('shared.growing', 'id', 'week', 4)`;
const divide = `SELECT shared.validate_partitions('shared.growing'); SELECT shared.partition_table('shared.growing')`;
const partitions = () =>
  context.manager.values<string>(
    `SELECT partition::text FROM shared.partitions_of('shared.growing') ORDER BY since NULLS FIRST`,
  );
const placeOf = (id: string) =>
  context.manager.value<string>('SELECT tableoid::regclass::text FROM shared.growing WHERE id = $1', [id]);

describe('a table of the version before', () => {
  test('becomes the first partition with all that it had, and the next rows come into others', async () => {
    const old = newId(inDays(-3));
    const ahead = newId(inDays(25));
    await add(old);
    await database.asOwner(`${prepare}; ${divide}`);
    await add(ahead);
    expect(await ids()).toEqual([old, ahead]);
    expect(await placeOf(old)).toBe('shared.growing_before');
    expect(await placeOf(ahead)).toMatch(/^shared\.growing_\d{4}_\d\d_\d\d$/);
    const numbers = await context.manager.values<string>('SELECT number FROM shared.growing ORDER BY number');
    expect(numbers).toEqual(['1', '2']);
    await expect(add(old)).rejects.toThrow(/duplicate key/);
    await expect(database.asOwner(`INSERT INTO shared.growing VALUES (gen_random_uuid(), 2)`)).rejects.toThrow(
      /foreign key/,
    );
    await expect(database.asOwner(`INSERT INTO shared.growing VALUES (gen_random_uuid(), -1)`)).rejects.toThrow(
      /growing_owner_positive/,
    );
    // Its rights too: the program may not delete from it, as before.
    await expect(context.manager.execute('DELETE FROM shared.growing')).rejects.toThrow(/permission denied/);
  });

  test('loses no row of those who write while it is divided, and holds none of them up', async () => {
    await add(newId(inDays(-1)));
    const over = new AbortController();
    const written: string[] = [];
    const write = async () => {
      while (!over.signal.aborted) {
        const id = newId();
        await add(id);
        written.push(id);
      }
    };
    const writers = [write(), write(), write()];
    try {
      await database.asOwner(prepare);
      await sleep(50);
      await database.asOwner(divide);
      await sleep(50);
    } finally {
      over.abort();
      await Promise.all(writers);
    }
    expect(new Set(await ids())).toEqual(new Set([...written, (await ids())[0]]));
  });

  test('stays as it is when it is in use, and is divided by the next attempt', async () => {
    await add(newId());
    await database.asOwner(prepare);
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN; SELECT FROM shared.growing');
      await expect(database.asOwner(divide)).rejects.toMatchObject({ code: '55P03' });
      expect(await ids()).toHaveLength(1);
    } finally {
      await holder.end();
    }
    await database.asOwner(divide);
    await database.asOwner(divide);
    expect(await ids()).toHaveLength(1);
  });

  test('that somebody else has divided is left as it is', async () => {
    await database.asOwner(`
      DROP TABLE shared.growing, shared.growing_note;
      CREATE TABLE shared.growing (id uuid PRIMARY KEY, owner_id integer NOT NULL DEFAULT 1) PARTITION BY RANGE (id);
      CREATE TABLE shared.growing_theirs PARTITION OF shared.growing DEFAULT;
      GRANT SELECT, INSERT ON shared.growing TO lastro_app;
      ${prepare}; ${divide}`);
    await add(newId(inDays(400)));
    expect(await partitions()).toEqual(['shared.growing_theirs']);
  });

  test('whose ids are no times stays whole, and works', async () => {
    await database.asOwner(
      `INSERT INTO shared.growing VALUES ('ffffffff-ffff-4fff-bfff-ffffffffffff'); ${prepare}; ${divide}`,
    );
    await add(newId());
    expect(await ids()).toHaveLength(2);
    expect(await partitions()).toEqual(['shared.growing_before', 'shared.growing_default']);
  });
});

describe('partitions', () => {
  beforeEach(() => database.asOwner(`${prepare}; ${divide}`));

  test('are made ahead by the job, once however often it runs', async () => {
    const before = await partitions();
    await database.asOwner(
      `DO $$ DECLARE p text; BEGIN
         SELECT partition::text INTO p FROM shared.partitions_of('shared.growing') WHERE NOT is_default ORDER BY until DESC LIMIT 1;
         EXECUTE 'DROP TABLE ' || p; END $$`,
    );
    expect(await partitions()).toHaveLength(before.length - 1);
    await Promise.all([partitionsJob.run(context), partitionsJob.run(context)]);
    await partitionsJob.run(context);
    expect(await partitions()).toEqual(before);
  });

  test('do not fail a write for which there is none: the row has a place, and operators see it', async () => {
    const far = newId(inDays(400));
    await add(far);
    expect(await placeOf(far)).toBe('shared.growing_default');
    const state = (await partitionStates(context)).find(({ table }) => table === 'shared.growing');
    expect(state?.strays).toBe(1);
    expect(state?.aheadSeconds).toBeGreaterThan(28 * 86_400);
  });

  test('of a time whose rows came before them leave the rows where they are, and are made for the time after', async () => {
    const week = 7 * dayMs;
    const state = (await partitionStates(context)).find(({ table }) => table === 'shared.growing');
    const endMs = Date.now() + (state?.aheadSeconds ?? 0) * 1000;
    const early = newId(Math.round(endMs + dayMs));
    await add(early);
    await database.asOwner(`UPDATE shared.partitioned_tables SET ahead = 7 WHERE name = 'shared.growing'`);
    await partitionsJob.run(context);
    expect(await placeOf(early)).toBe('shared.growing_default');
    const next = newId(Math.round(endMs + week + dayMs));
    await add(next);
    expect(await placeOf(next)).not.toBe('shared.growing_default');
  });

  test('that are past are dropped, the oldest first, but for those with a row that is kept and those that time has not passed', async () => {
    const kept = newId(inDays(9));
    await database.asOwner(`INSERT INTO shared.growing (id, is_kept) VALUES ('${kept}', true)`);
    const [first, last] = [newId(), newId(inDays(27))];
    await add(first);
    await add(last);
    const before = new Date(inDays(24));
    const remaining = await context.manager.values<string>(
      `SELECT partition::text FROM shared.partitions_of('shared.growing') WHERE is_default OR until > $1
         OR partition = (SELECT tableoid FROM shared.growing WHERE is_kept) ORDER BY since NULLS FIRST`,
      [before],
    );
    const past = (await partitions()).length - remaining.length;
    expect(past).toBeGreaterThan(1);
    const drop = () => context.manager.value<string | null>('SELECT shared.drop_of_growing($1)', [before]);
    const [one, other] = await Promise.all([dropPast(context, drop), dropPast(context, drop)]);
    expect(one + other).toBe(past);
    expect(await partitions()).toEqual(remaining);
    const left = await ids();
    expect(left).toContain(kept);
    expect(left).toContain(last);
    expect(left).not.toContain(first);
  });

  test('have the triggers of their table for statements that name them', async () => {
    const names = await partitions();
    expect(names.length).toBeGreaterThan(6);
    for (const name of names)
      await expect(database.asOwner(`UPDATE ${name} SET is_kept = true`)).rejects.toThrow('It stands');
  });

  test('are left alone where pg_partman keeps them', async () => {
    await database.asOwner(
      `CREATE TABLE public.part_config (parent_table text); INSERT INTO public.part_config VALUES ('shared.growing');
       UPDATE shared.partitioned_tables SET ahead = 9 WHERE name = 'shared.growing'`,
    );
    const before = await partitions();
    await partitionsJob.run(context);
    expect(await context.manager.value('SELECT shared.drop_of_growing($1)', [new Date(inDays(100))])).toBeNull();
    expect(await partitions()).toEqual(before);
    await database.asOwner('DROP TABLE public.part_config');
  });

  test('are made and dropped by nothing else that the program may do', async () => {
    const run = (text: string) => context.manager.execute(text);
    await expect(
      run(`SELECT shared.drop_partition('shared.growing', now() + interval '99 days', 'SELECT LIMIT 0')`),
    ).rejects.toThrow(/permission denied/);
    await expect(run(`UPDATE shared.partitioned_tables SET ahead = 1`)).rejects.toThrow(/permission denied/);
  });
});
