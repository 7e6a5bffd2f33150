import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { testContext } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { until } from '../../tests/kit/until.js';
import type { Context } from '../kernel/context.js';
import { readTogether } from './read-together.js';
import { inTransaction } from './transaction.js';

/** The keys of each statement that was sent. */
const statements: (readonly string[])[] = [];
const valueOf = readTogether(async ({ manager }, keys) => {
  statements.push(keys);
  const rows = await manager.query<{ key: string; value: string }[]>(
    'SELECT key, value FROM public.things WHERE key = ANY ($1::text[])',
    [keys],
  );
  return new Map(rows.map(({ key, value }) => [key, value]));
});

const database = await openTestDatabase({ poolSize: 10 });
const context = testContext({ manager: database.dataSource.manager });
await database.asOwner('CREATE TABLE public.things (key text PRIMARY KEY, value text NOT NULL)');
afterAll(() => database.close());
beforeEach(async () => {
  await database.asOwner('TRUNCATE public.things');
  await set('a', '1');
  statements.length = 0;
});

async function set(key: string, value: string): Promise<void> {
  await context.manager.query(
    'INSERT INTO public.things VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [key, value],
  );
}

async function whileLocked(work: (lock: Context) => Promise<void>): Promise<void> {
  await inTransaction(context, async (lock) => {
    await lock.manager.query('LOCK TABLE public.things IN ACCESS EXCLUSIVE MODE');
    await work(lock);
  });
}

test('those who ask at the same time share a statement, in which a key stands once', async () => {
  expect(await Promise.all(['a', 'b', 'a', 'a'].map((key) => valueOf(context, key)))).toEqual([
    '1',
    undefined,
    '1',
    '1',
  ]);
  expect(statements).toEqual([['a', 'b']]);
});

test('those who ask while a statement is under way share the next one, and see what was written before they asked', async () => {
  const answers: Promise<string | undefined>[] = [];
  await whileLocked(async (lock) => {
    answers.push(valueOf(context, 'a'));
    await until('the statement', () => statements.length >= 1);
    await lock.manager.query(`UPDATE public.things SET value = '2'`);
    for (let index = 0; index < 50; index += 1) answers.push(valueOf(context, 'a'), valueOf(context, `k${index}`));
  });
  const [, ...later] = await Promise.all(answers);
  expect(later.filter((value) => value === '2')).toHaveLength(50);
  expect(statements.map(({ length }) => length)).toEqual([1, 51]);
});

test('a transaction reads its own writes, and nobody else reads them', async () => {
  await inTransaction(context, async (tx) => {
    await tx.manager.query(`UPDATE public.things SET value = 'mine'`);
    expect(await Promise.all([valueOf(tx, 'a'), valueOf(context, 'a')])).toEqual(['mine', '1']);
  });
});

test('a statement takes 1,000 keys at most', async () => {
  await Promise.all(Array.from({ length: 2_500 }, (_, index) => valueOf(context, `k${index}`)));
  expect(statements.map(({ length }) => length)).toEqual([1000, 1000, 500]);
});

test('a statement that is never answered does not hold those who ask after it', async () => {
  let asked = 0;
  const read = readTogether<string>(async (_reads, keys) => {
    asked += 1;
    if (asked === 1) await new Promise(() => undefined);
    return new Map(keys.map((key) => [key, key]));
  });
  void read(context, 'lost');
  await until('the statement that is lost', () => asked !== 0);
  expect(await read(context, 'a')).toBe('a');
});
