import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { dropPast, partitionsJob, partitionStates } from './partitions.js';

const dayMs = 86_400_000;
let made = 0;
/** A UUIDv7 of a moment; `newId` never goes back behind the latest moment that it was asked for. */
const newId = (ms = Date.now()): string => {
  made += 1;
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${made.toString(16).padStart(12, '0')}`;
};
const inDays = (days: number) => Date.now() + days * dayMs;

const database = await openTestDatabase();
const context = testContext({ manager: database.dataSource.manager });
await database.asOwner(`
  CREATE FUNCTION shared.drop_of_growing(p_before timestamptz) RETURNS text LANGUAGE sql SECURITY DEFINER AS $$
    SELECT name FROM shared.drop_partition('shared.growing', p_before, 'SELECT FROM %1$s WHERE is_kept') $$`);
afterAll(() => database.close());

/** A table that is divided, with a trigger of statements. */
beforeEach(() =>
  database.asOwner(`
    DROP TABLE IF EXISTS shared.growing;
    DELETE FROM shared.partitioned_tables WHERE name = 'shared.growing';
    CREATE TABLE shared.growing (id uuid PRIMARY KEY, is_kept boolean NOT NULL DEFAULT false) PARTITION BY RANGE (id);
    CREATE OR REPLACE FUNCTION shared.refuse_growing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''It stands''; END';
    CREATE TRIGGER growing_stands BEFORE UPDATE ON shared.growing FOR EACH STATEMENT EXECUTE FUNCTION shared.refuse_growing();
    ALTER TABLE shared.growing ENABLE ALWAYS TRIGGER growing_stands;
    SELECT shared.divide('shared.growing', 'id', 'week', 4);
    GRANT SELECT, INSERT ON shared.growing, shared.growing_default TO lastro_app`),
);

const add = (id: string) => context.manager.execute('INSERT INTO shared.growing (id) VALUES ($1)', [id]);
const ids = () => context.manager.values<string>('SELECT id FROM shared.growing ORDER BY id');
const partitions = () =>
  context.manager.values<string>(
    `SELECT partition::text FROM shared.partitions_of('shared.growing') ORDER BY since NULLS FIRST`,
  );
const placeOf = (id: string) =>
  context.manager.value<string>('SELECT tableoid::regclass::text FROM shared.growing WHERE id = $1', [id]);

describe('partitions', () => {
  test('take a row each by its time, also one that is older than the table', async () => {
    const [old, ahead] = [newId(inDays(-300)), newId(inDays(25))];
    await add(old);
    await add(ahead);
    expect(await placeOf(old)).toBe('shared.growing_before');
    expect(await placeOf(ahead)).toMatch(/^shared\.growing_\d{4}_\d\d_\d\d$/);
    await expect(add(old)).rejects.toThrow(/duplicate key/);
  });

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
