import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testContext } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { until } from '../../tests/kit/until.js';
import type { Context } from '../kernel/context.js';
import { alone, groupCommit, type Member } from './group-commit.js';
import { inTransaction } from './transaction.js';
import { unavailability } from './unavailable.js';

interface Thing {
  readonly id: number;
  readonly lock: string;
  readonly single?: boolean;
  /** `fails` breaks its transaction; `apart` asks for a group of its own; `lost` loses the connection. */
  readonly fate?: 'fails' | 'apart' | 'lost';
}
/** The ids of each group whose work began. */
const groups: number[][] = [];

const write = groupCommit<Thing, { readonly written: number }>({
  work: writeThings,
  lockOf: ({ lock }) => lock,
  isSingle: ({ single = false }) => single,
});

async function writeThings({ manager }: Context, members: readonly Member<Thing>[]) {
  const things = members.map(({ item }) => item);
  groups.push(things.map(({ id }) => id));
  const apart = members.length > 1 ? things.filter(({ fate }) => fate === 'apart') : [];
  const own = things.filter((thing) => !apart.includes(thing));
  await manager.query('INSERT INTO public.written (id, lock) SELECT * FROM unnest($1::integer[], $2::text[])', [
    own.map(({ id }) => id),
    own.map(({ lock }) => lock),
  ]);
  if (own.some(({ fate }) => fate === 'fails')) throw new Error('It does not fit');
  if (own.some(({ fate }) => fate === 'lost')) await manager.query('SELECT pg_terminate_backend(pg_backend_pid())');
  return things.map((thing) => (apart.includes(thing) ? alone : { written: thing.id }));
}

const database = await openTestDatabase({ poolSize: 10 });
const context = testContext({ manager: database.dataSource.manager });
await database.asOwner(
  'CREATE TABLE public.written (id integer PRIMARY KEY, lock text NOT NULL, at integer GENERATED ALWAYS AS IDENTITY)',
);
afterAll(() => database.close());
beforeEach(async () => {
  await database.asOwner('TRUNCATE public.written');
  groups.length = 0;
});

const all = (things: readonly Thing[]) => Promise.allSettled(things.map((thing) => write(context, thing)));
const things = (count: number, more: (id: number) => Partial<Thing> = () => ({})): Thing[] =>
  Array.from({ length: count }, (_, id) => ({ id, lock: `of ${id}`, ...more(id) }));
const kept = async () => {
  const rows: { id: number }[] = await context.manager.query('SELECT id FROM public.written ORDER BY at, id');
  return rows.map(({ id }) => id);
};

test('those who come together share a transaction, of no more than it takes', async () => {
  const results = await all(things(150));
  expect(results).toEqual(things(150).map(({ id }) => ({ status: 'fulfilled', value: { written: id } })));
  expect(groups.map((group) => group.length).sort()).toEqual([22, 64, 64]);
});

test('one whose work fails gets the reason, and undoes nobody else', async () => {
  const results = await all(things(5, (id) => (id === 2 ? { fate: 'fails' } : {})));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(results[2]).toMatchObject({ reason: { message: 'It does not fit' } });
  expect((await kept()).sort()).toEqual([0, 1, 3, 4]);
});

test('one that asks to be alone gets a transaction of its own, and costs the others nothing', async () => {
  await all(things(4, (id) => (id === 1 ? { fate: 'apart' } : {})));
  expect(groups).toEqual([[0, 1, 2, 3], [1]]);
  expect((await kept()).sort()).toEqual([0, 1, 2, 3]);
});

test('all of a group whose connection is lost get UNAVAILABLE, nothing of it is kept, and the next is served', async () => {
  const results = await all(things(3, (id) => (id === 0 ? { fate: 'lost' } : {})));
  for (const result of results)
    expect(unavailability('reason' in result && result.reason)).toMatchObject({ reason: 'unreachable' });
  expect(groups).toHaveLength(1);
  expect(await kept()).toEqual([]);
  await expect(write(context, { id: 9, lock: 'x' })).resolves.toEqual({ written: 9 });
});

test('inside of a transaction it is a part of that', async () => {
  const failing = inTransaction(context, async (tx) => {
    await write(tx, { id: 1, lock: 'a' });
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  expect(await kept()).toEqual([]);
});

describe('of those with the same lock', () => {
  test('nobody begins while another’s group is under way, and the first who came is first', async () => {
    const blocker = inTransaction(context, async (tx) => {
      await tx.manager.query('LOCK TABLE public.written IN ACCESS EXCLUSIVE MODE');
      const first = write(context, { id: 1, lock: 'same' });
      await until('the first group', () => groups.length >= 1);
      const later = [write(context, { id: 2, lock: 'same' }), write(context, { id: 3, lock: 'other' })];
      await until('the second group', () => groups.length >= 2);
      expect(groups).toEqual([[1], [3]]);
      return { all: Promise.all([first, ...later]) };
    });
    await (
      await blocker
    ).all;
    expect(groups).toEqual([[1], [3], [2]]);
  });

  test('single ones go one after the other', async () => {
    await all(things(4, () => ({ lock: 'same', single: true })));
    expect(groups).toEqual([[0], [1], [2], [3]]);
  });

  test('the order in which they came is the order in which they are written', async () => {
    const some = fc.record({
      lock: fc.constantFrom('a', 'b', 'c'),
      single: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(some, { minLength: 1, maxLength: 30 }), async (given) => {
        await database.asOwner('TRUNCATE public.written');
        await all(given.map((one, id) => ({ ...one, id })));
        const order = await kept();
        expect(order).toHaveLength(given.length);
        for (const lock of ['a', 'b', 'c']) {
          const own = order.filter((id) => given[id]?.lock === lock);
          expect(own).toEqual([...own].sort((left, right) => left - right));
        }
      }),
      { numRuns: 30 },
    );
  });
});
