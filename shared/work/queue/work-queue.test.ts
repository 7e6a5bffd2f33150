import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { quietLog, testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { random } from '../../../tests/kit/random.js';
import { until } from '../../../tests/kit/until.js';
import { systemClock, type Clock } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import type { Logger } from '../../kernel/log.js';
import { claimItems, endClaim, extendClaim, untilNextDue, type WorkTable } from './work-items.store.js';
import { createWorkQueue, type WorkQueueOptions } from './work-queue.js';

interface Item {
  readonly id: string;
  readonly attempts: number;
}

const items: WorkTable = {
  table: 'public.items',
  as: 'item',
  key: 'id',
  dueAt: 'due_at',
  leasedUntil: 'due_at',
  isOpen: 'done_by IS NULL',
  onClaim: 'attempts = item.attempts + 1',
  columns: 'item.id, item.attempts',
};
let context: Context;

const database = await openTestDatabase({ poolSize: 20 });
await database.asOwner(
  `CREATE TABLE public.items (id text PRIMARY KEY, due_at timestamptz NOT NULL, lease uuid,
       attempts integer NOT NULL DEFAULT 0, done_by text, endings integer NOT NULL DEFAULT 0)`,
);
afterAll(() => database.close());
beforeEach(async () => {
  await database.asOwner('TRUNCATE public.items');
  context = at(0);
});

/** The context of a process whose clock is off by some milliseconds, and follows the database's as far as it knows. */
function at(offMs: number): Context {
  const clock: Clock = { now: () => new Date(Date.now() + offMs), followsDatabase: true };
  return testContext({ manager: database.dataSource.manager, clock });
}

async function add(count: number, dueInMs = 0): Promise<void> {
  await context.manager.query(
    `INSERT INTO public.items (id, due_at)
     SELECT 'item-' || number, clock_timestamp() + $2::float8 * interval '1 ms' FROM generate_series(1, $1::integer) AS number`,
    [count, dueInMs],
  );
}

const rows = (): Promise<{ id: string; attempts: number; done_by: string | null; endings: number }[]> =>
  context.manager.query('SELECT id, attempts, done_by, endings FROM public.items ORDER BY id');
const claim = (own: Context, leaseMs = 60_000, lease = newId(), limit = 1): Promise<Item[]> =>
  claimItems(own, items, { lease, leaseMs, limit });
const finish = (own: Context, id: string, lease: string, by: string): Promise<boolean> =>
  endClaim(own, items, { id, lease }, { set: 'done_by = $5, endings = endings + 1', parameters: [by] });

function queue(work: WorkQueueOptions<Item>['work'], parts: Partial<WorkQueueOptions<Item>> = {}, own = context) {
  const options = { table: items, work, failure: 'An item failed', leaseMs: 60_000, pollMs: 60_000, ...parts };
  return createWorkQueue<Item>(own, options);
}
const finishing =
  (by: string, done: string[] = []): WorkQueueOptions<Item>['work'] =>
  async (own, { id }, { lease }) => {
    await finish(own, id, lease, by);
    done.push(id);
  };

const hourMs = 3_600_000;

/** Makes every item due earlier, as if so much time had passed. */
async function letPass(ms: number): Promise<void> {
  await context.manager.query(`UPDATE public.items SET due_at = due_at - $1::float8 * interval '1 ms'`, [ms]);
}

describe('a claim', () => {
  test('takes what is due, the longest due first, and nothing twice', async () => {
    await add(3);
    await context.manager.query(`UPDATE public.items SET due_at = due_at - interval '1 hour' WHERE id = 'item-2'`);
    expect(await claim(context)).toEqual([{ id: 'item-2', attempts: 1 }]);
    expect((await claim(context, 60_000, newId(), 10)).map(({ id }) => id).toSorted()).toEqual(['item-1', 'item-3']);
    expect(await claim(context)).toEqual([]);
  });

  test('whose holder died is lost when its lease runs out, and the stale holder writes nothing', async () => {
    await add(1);
    const [dead, next] = [newId(), newId()];
    await claim(context, hourMs, dead);
    expect(await claim(context)).toEqual([]);
    await letPass(hourMs);
    expect(await claim(context, 60_000, next)).toEqual([{ id: 'item-1', attempts: 2 }]);
    expect(await finish(context, 'item-1', dead, 'dead')).toBe(false);
    expect(await extendClaim(context, items, { id: 'item-1', lease: dead }, 60_000)).toBe(false);
    expect(await finish(context, 'item-1', next, 'next')).toBe(true);
    expect(await finish(context, 'item-1', next, 'next')).toBe(false);
    expect(await rows()).toEqual([{ id: 'item-1', attempts: 2, done_by: 'next', endings: 1 }]);
  });

  test('that is extended is kept', async () => {
    await add(1);
    const lease = newId();
    await claim(context, 200, lease);
    expect(await extendClaim(context, items, { id: 'item-1', lease }, 60_000)).toBe(true);
    await sleep(250);
    expect(await claim(context)).toEqual([]);
  });

  test('that is ended for later is due then, and not before', async () => {
    await add(1);
    const lease = newId();
    await claim(context, 60_000, lease);
    await endClaim(context, items, { id: 'item-1', lease }, { afterMs: hourMs });
    expect(await claim(context)).toEqual([]);
    const waitMs = await untilNextDue(context, items);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(hourMs);
    await letPass(hourMs);
    expect(await claim(context)).toHaveLength(1);
  });

  test.each([-60_000, 60_000])('holds though the clock of its process is %d ms off', async (offMs) => {
    const wrong = at(offMs);
    await add(1);
    expect(await claim(wrong, hourMs)).toHaveLength(1);
    // Neither a process with the right time nor one that is off the other way takes it before its time, and both do afterwards.
    expect([await claim(context), await claim(at(-offMs)), await claim(wrong)]).toEqual([[], [], []]);
    const waitMs = await untilNextDue(wrong, items);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(hourMs);
    await letPass(hourMs);
    expect(await claim(at(-offMs))).toHaveLength(1);
  });
});

describe('queues', () => {
  test('share the work: every item is done once, by one of them', async () => {
    await add(200);
    const done: string[] = [];
    const queues = ['a', 'b', 'c'].map((name) => queue(finishing(name, done), { lanes: 3 }));
    await Promise.all(queues.map((one) => one.drain()));
    expect(done).toHaveLength(200);
    const stored = await rows();
    expect(stored.every(({ attempts, endings, done_by: by }) => attempts === 1 && endings === 1 && by !== null)).toBe(
      true,
    );
  });

  test('end each item once, whatever is slow, fails or loses its lease', async () => {
    await add(40);
    let effects = 0;
    const work: WorkQueueOptions<Item>['work'] = async (own, { id, attempts }, { lease }) => {
      const fate = attempts > 3 ? 1 : random();
      // Longer than the lease, or a failure, or quick.
      if (fate < 0.3) await sleep(250 + random() * 100);
      else if (fate < 0.5) throw new Error('no');
      else await sleep(random() * 20);
      if (await finish(own, id, lease, lease)) effects += 1;
    };
    const queues = [-60_000, 0, 60_000].map((offMs) => queue(work, { lanes: 4, leaseMs: 200, pollMs: 50 }, at(offMs)));
    await Promise.all(queues.map((one) => one.start()));
    await until('every item to be done', async () => !(await rows()).some(({ done_by: by }) => by === null));
    await Promise.all(queues.map((one) => one.stop()));
    const stored = await rows();
    expect(stored.map(({ endings }) => endings)).toEqual(Array(40).fill(1));
    expect(effects).toBe(40);
    expect(stored.some(({ attempts }) => attempts > 1)).toBe(true);
  });

  test('work on no more items at once than they have lanes', async () => {
    await add(12);
    let [now, most] = [0, 0];
    const one = queue(
      async (own, { id }, { lease }) => {
        now += 1;
        most = Math.max(most, now);
        await sleep(10);
        now -= 1;
        await finish(own, id, lease, 'it');
      },
      { lanes: 4 },
    );
    await one.drain();
    expect(most).toBe(4);
    expect((await rows()).every(({ endings }) => endings === 1)).toBe(true);
  });

  test('do not let a slow item hold up the others', async () => {
    await add(6);
    const done: string[] = [];
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const one = queue(
      async (own, item, hold) => {
        if (item.id === 'item-1') await slow;
        await finishing('it', done)(own, item, hold);
      },
      { lanes: 2 },
    );
    const drained = one.drain();
    await until('the items behind the slow one', () => done.length >= 5);
    release();
    await drained;
    expect(done.at(-1)).toBe('item-1');
  });
});

describe('a started queue', () => {
  test('works when it is woken, and when an item is due', async () => {
    const done: string[] = [];
    const one = queue(finishing('it', done), { topic: 'items.due' });
    await one.start();
    await sleep(50);
    await add(1);
    await sleep(100);
    expect(done).toEqual([]);
    await context.bus.publish('items.due', null);
    await until('the item that was announced', () => done.length > 0);
    await context.manager.query(
      `UPDATE public.items SET done_by = NULL, due_at = clock_timestamp() + interval '300 ms'`,
    );
    await context.bus.publish('items.due', null);
    await until('the item that became due', () => done.length !== 1);
    await one.stop();
    expect(await rows()).toMatchObject([{ attempts: 2, endings: 2 }]);
  });

  test('finds by itself what nobody woke it for', async () => {
    const done: string[] = [];
    const one = queue(finishing('it', done), { pollMs: 100 });
    await one.start();
    await sleep(50);
    await add(1);
    await until('the item that nobody announced', () => done.length > 0);
    await one.stop();
  });

  test('that stops claims nothing more, and finishes what it has begun', async () => {
    await add(10);
    const done: string[] = [];
    let isStopping = false;
    const one = queue(
      async (own, item, hold) => {
        await new Promise<void>((resolve) => {
          hold.stopping.addEventListener('abort', () => {
            resolve();
          });
        });
        isStopping = true;
        await finishing('it', done)(own, item, hold);
      },
      { lanes: 2 },
    );
    await one.start();
    await until(
      'an item in each lane',
      async () => (await rows()).filter(({ attempts }) => attempts === 1).length >= 2,
    );
    await one.stop();
    expect(isStopping).toBe(true);
    expect((await rows()).map(({ attempts, endings }) => [attempts, endings]).toSorted()).toEqual([
      ...Array.from({ length: 8 }, () => [0, 0]),
      [1, 1],
      [1, 1],
    ]);
  });

  test('ends the deadline of an item before its lease', async () => {
    await add(1);
    let free: readonly unknown[] | undefined;
    const one = queue(
      async (_own, _item, { deadline }) => {
        expect(deadline.aborted).toBe(false);
        await new Promise<void>((resolve) => {
          deadline.addEventListener('abort', () => {
            resolve();
          });
        });
        free = await claim(context);
      },
      { leaseMs: 3_000 },
    );
    // A timer of the deadline keeps no process alive.
    const alive = setTimeout(() => undefined, 15_000);
    const drained = one.drain();
    await until('the deadline of the item', () => free !== undefined);
    clearTimeout(alive);
    await one.stop();
    await drained;
    expect(free).toEqual([]);
  });

  test('says once that it cannot claim, while that lasts', async () => {
    const told: string[] = [];
    const log = { ...quietLog, error: (_about: unknown, words: string) => told.push(words) } as unknown as Logger;
    const one = queue(
      () => Promise.resolve(),
      { pollMs: 10, table: { ...items, isOpen: 'no_such_column' } },
      {
        ...context,
        log,
      },
    );
    await one.start();
    await sleep(400);
    await one.stop();
    expect(told).toEqual(['Work items could not be claimed; this will be retried']);
  });
});

test('a clock that a test sets is the time of the statements, too', async () => {
  await add(1);
  const early = testContext({ manager: database.dataSource.manager, clock: { now: () => new Date('2000-01-01') } });
  expect(await claim(early)).toEqual([]);
  expect(await claim({ ...early, clock: systemClock })).toHaveLength(1);
});
