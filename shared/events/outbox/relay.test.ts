import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testContext } from '../../../tests/kit/context.js';
import { countQueries } from '../../../tests/kit/count-queries.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { until } from '../../../tests/kit/until.js';
import { createLocalBus } from '../bus.js';
import type { Context } from '../../kernel/context.js';
import { inTransaction } from '../../database/transaction.js';
import { announce, announceAll, publishedTopic, type Consumer, type PublishedEvent } from './outbox.js';
import { createRelay } from './relay.js';
import { countPutOff, outboxLagSeconds } from './relay.store.js';

let context: Context;

const database = await openTestDatabase();
afterAll(() => database.close());
beforeEach(async () => {
  await database.asOwner('TRUNCATE shared.outbox');
  context = testContext({ manager: database.dataSource.manager, bus: createLocalBus() });
});

const opened = (key: string) => ({ topic: 'account.opened', key, payload: { key } });

describe('the outbox and its relay', () => {
  test('an event of a transaction that rolled back is never published', async () => {
    const heard: unknown[] = [];
    await context.bus.listen(publishedTopic, (event) => heard.push(event));
    const rolledBack = inTransaction(context, async (tx) => {
      await announce(tx, opened('a'));
      throw new Error('changed its mind');
    });
    await expect(rolledBack).rejects.toThrow('changed its mind');
    expect(await createRelay(context).drain()).toBe(0);
    expect(heard).toEqual([]);
  });

  test('announcing outside of a transaction is refused', async () => {
    await expect(announce(context, opened('a'))).rejects.toThrow(/inside inTransaction/);
  });

  test('a committed event is published once, with a stable id', async () => {
    const consumed: PublishedEvent[] = [];
    const consume = (_tx: Context, events: readonly PublishedEvent[]) => {
      consumed.push(...events);
      return Promise.resolve();
    };
    await inTransaction(context, (tx) => announceAll(tx, [opened('a'), opened('b')]));
    const stored = await context.manager.rows<{ id: string }>('SELECT id FROM shared.outbox ORDER BY position');
    const relay = createRelay(context, { consumers: [consume] });
    expect(await relay.drain()).toBe(2);
    expect(await relay.drain()).toBe(0);
    expect(consumed.map(({ id, key }) => ({ id, key }))).toEqual([
      { id: stored[0]?.id, key: 'a' },
      { id: stored[1]?.id, key: 'b' },
    ]);
  });

  test('an internal event goes to consumers, and wakes no reader', async () => {
    const heard: unknown[] = [];
    const consumed: unknown[] = [];
    await context.bus.listen(publishedTopic, (event) => heard.push(event));
    await inTransaction(context, (tx) => announce(tx, { ...opened('a'), internal: true }));
    const consume = (_tx: Context, events: readonly PublishedEvent[]) => {
      consumed.push(...events.map(({ key }) => key));
      return Promise.resolve();
    };
    expect(await createRelay(context, { consumers: [consume] }).drain()).toBe(1);
    expect(consumed).toEqual(['a']);
    expect(heard).toEqual([]);
  });

  test('large events go a few at a time, in their order, and all of them', async () => {
    // Random, so that PostgreSQL cannot compress them.
    const large = (key: string) => ({ ...opened(key), payload: randomBytes(300_000).toString('base64') });
    const keys = Array.from({ length: 12 }, (_, index) => String(index));
    await inTransaction(context, (tx) => announceAll(tx, keys.map(large)));
    const batches: string[][] = [];
    const consume = (_tx: Context, events: readonly PublishedEvent[]) => {
      batches.push(events.map(({ key }) => key));
      return Promise.resolve();
    };
    expect(await createRelay(context, { consumers: [consume] }).drain()).toBe(12);
    expect(batches.flat()).toEqual(keys);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(4);
  });

  test('two relays at once share the events: each goes to exactly one of them', async () => {
    await inTransaction(context, (tx) =>
      announceAll(
        tx,
        Array.from({ length: 1000 }, (_, index) => opened(String(index))),
      ),
    );
    const consumed: string[] = [];
    const consume = (_tx: Context, events: readonly PublishedEvent[]) => {
      consumed.push(...events.map((event) => event.key));
      return Promise.resolve();
    };
    const relays = [1, 2].map(() => createRelay(context, { consumers: [consume], batchSize: 50 }));
    const counts = await Promise.all(relays.map((relay) => relay.drain()));
    // A relay that finds all pending rows locked by the other may end early; the next drain takes the rest.
    const rest = await createRelay(context, { consumers: [consume] }).drain();
    expect(counts.reduce((a, b) => a + b, 0) + rest).toBe(1000);
    expect(new Set(consumed).size).toBe(1000);
    expect(consumed).toHaveLength(1000);
  });

  test('a consumer that fails leaves the event waiting', async () => {
    await inTransaction(context, (tx) => announce(tx, opened('a')));
    const failing = createRelay(context, { consumers: [() => Promise.reject(new Error('no'))] });
    await expect(failing.drain()).rejects.toThrow('no');
    expect(await outboxLagSeconds(context)).toBe(0);
    expect(await createRelay(context).drain()).toBe(1);
  });

  test('an event that a consumer fails on holds no other up, and is handed over again until it succeeds', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => String(index));
    await inTransaction(context, (tx) => announceAll(tx, keys.map(opened)));
    await database.asOwner('CREATE TABLE public.consumed (key text PRIMARY KEY)');
    const bad = new Set(['7', '8', '29']);
    const consumed: string[] = [];
    let failures = 0;
    const consume: Consumer = async (tx, events) => {
      // The work is done before it fails: nothing of it may remain.
      for (const { key } of events) await tx.manager.query('INSERT INTO public.consumed VALUES ($1)', [key]);
      const failing = events.find(({ key }) => bad.has(key));
      if (failing !== undefined) {
        failures += 1;
        throw new Error(`cannot take ${failing.key}`);
      }
      consumed.push(...events.map(({ key }) => key));
    };
    let now = Date.parse('2026-11-20T15:00:00Z');
    const moving = { ...context, clock: { now: () => new Date(now) } };
    const relay = createRelay(moving, { consumers: [consume], batchSize: 20, pollMs: 10 });
    relay.start();
    try {
      await until('the 27 good events', () => consumed.length === 27);
      await until('the three bad events to be put off', async () => (await countPutOff(context)) === 3);
      const sofar = failures;
      now += 1_001;
      await until('another attempt', () => failures > sofar);
      bad.clear();
      await until('all 30 events', () => {
        // Repeatedly: an event may be postponed at this very moment.
        now += 60_000;
        return consumed.length === 30;
      });
    } finally {
      await relay.stop();
    }
    expect(consumed.toSorted()).toEqual(keys.toSorted());
    expect(await countPutOff(context)).toBe(0);
    const [written] = await context.manager.query<object[]>('SELECT count(*)::integer AS count FROM public.consumed');
    expect(written).toEqual({ count: 30 });
  });

  test('consumers have committed before the bus wakes readers, once for a batch', async () => {
    const published: unknown[] = [];
    await context.bus.listen(publishedTopic, () => {
      const query = `SELECT count(*)::integer AS count FROM shared.outbox WHERE published_at IS NOT NULL`;
      // On a separate connection, which sees only what is committed.
      published.push(database.dataSource.query<{ count: number }[]>(query));
    });
    await inTransaction(context, (tx) =>
      announceAll(tx, [opened('a'), opened('b'), { ...opened('c'), internal: true }]),
    );
    expect(await createRelay(context).drain()).toBe(3);
    expect(await Promise.all(published)).toEqual([[{ count: 3 }]]);
  });

  test('a relay that has nothing to publish asks once a second, and opens no transaction', async () => {
    const relay = createRelay(context);
    relay.start();
    const asked = await countQueries(database.dataSource, () => sleep(1_500));
    await relay.stop();
    expect(asked).toBeLessThanOrEqual(3);
  });

  test('a started relay publishes what is committed later, and stops', async () => {
    const relay = createRelay(context, { pollMs: 20 });
    relay.start();
    const heard = new Promise((resolve) => void context.bus.listen(publishedTopic, resolve));
    await inTransaction(context, (tx) => announce(tx, opened('later')));
    await heard;
    await relay.stop();
  });

  test('what is announced while a batch takes long is published beside it', async () => {
    let finish: () => void = () => undefined;
    const waitsForOther = new Promise<void>((resolve) => (finish = resolve));
    const consume = async (_tx: Context, events: readonly PublishedEvent[]) => {
      if (events.some(({ key }) => key === 'quick')) finish();
      else await waitsForOther;
    };
    const relay = createRelay(context, { consumers: [consume], pollMs: 20 });
    await inTransaction(context, (tx) => announce(tx, opened('long')));
    relay.start();
    try {
      await until('the long event is claimed', async () => {
        const free = await context.manager.rows('SELECT FROM shared.outbox FOR UPDATE SKIP LOCKED');
        return free.length === 0;
      });
      await inTransaction(context, (tx) => announce(tx, opened('quick')));
      await until('both are published', async () => (await outboxLagSeconds(context)) === 0);
    } finally {
      finish();
      await relay.stop();
    }
  });
});
