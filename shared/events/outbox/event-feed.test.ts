import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { testContext, testKeyRing, testMasterKey } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { until } from '../../../tests/kit/until.js';
import { createLocalBus, type Bus } from '../bus.js';
import type { Context } from '../../kernel/context.js';
import { createKeyRing } from '../../security/crypto.js';
import { ApiError } from '../../kernel/errors.js';
import { inTransaction } from '../../database/transaction.js';
import { retentionJob } from '../../work/retention.js';
import { createEventCursors } from './event-cursor.js';
import { createEventFeed, type EventFeed } from './event-feed.js';
import type { EventSelection, FeedEvent } from './feed.store.js';
import { announceAll } from './outbox.js';
import { createRelay } from './relay.js';
import { canRestart, cursorOf as placeOf } from '../../kernel/stream-place.js';

let context: Context;
let feed: EventFeed;

const topics = ['price', 'batch'];
const prices: EventSelection = { topics: ['price'] };

const database = await openTestDatabase();
afterAll(() => database.close());
beforeEach(async () => {
  await database.asOwner('TRUNCATE shared.outbox');
  context = testContext({ manager: database.dataSource.manager, bus: createLocalBus() });
  feed = createEventFeed({ keyRing: testKeyRing, topics, pollMs: 20 });
});

const price = (key: string) => ({ topic: 'price', key, payload: { key } });
const publish = async (...keys: string[]) => {
  await inTransaction(context, (tx) => announceAll(tx, keys.map(price)));
  await createRelay(context).drain();
};

async function take(stream: AsyncIterator<FeedEvent, undefined>, count: number): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  while (events.length < count) {
    const { value } = await stream.next();
    if (value === undefined) throw new Error('The stream has ended');
    events.push(value);
  }
  return events;
}
const keysOf = (events: readonly FeedEvent[]) => events.map(({ key }) => key);
const cursorOf = (event: FeedEvent | undefined) => {
  if (event === undefined) throw new Error('There is no event');
  return feed.cursorOf(event);
};
async function readKeys(count: number, since?: string, selection = prices): Promise<string[]> {
  const stream = await feed.read(context, selection, since);
  const events = await take(stream, count);
  await stream.return?.();
  return keysOf(events);
}

describe('the feed of published events', () => {
  test('begins with what is published from now on, and resumes after the cursor of any event', async () => {
    await publish('before');
    const stream = await feed.read(context, prices);
    await publish('a', 'b');
    const [a] = await take(stream, 2);
    await stream.return?.();
    await publish('c', 'd');
    expect(await readKeys(3, cursorOf(a))).toEqual(['b', 'c', 'd']);
  });

  test('a reader who has received nothing yet resumes by the cursor of now', async () => {
    await publish('before');
    const since = await feed.cursorOfNow(context);
    await publish('a', 'b');
    expect(await readKeys(2, since)).toEqual(['a', 'b']);
  });

  test('a stream says after which cursor another one goes on, whenever its reader has everything that it returned', async () => {
    await publish('before');
    const stream = await feed.read(context, prices);
    const start = placeOf(stream);
    await publish('a', 'b');
    expect(await readKeys(2, start)).toEqual(['a', 'b']);
    await take(stream, 2);
    // The reader may not have passed the last one on.
    expect(placeOf(stream)).toBeUndefined();
    const next = stream.next();
    await until('a place to go on from', () => placeOf(stream) !== undefined);
    const later = placeOf(stream);
    await publish('c');
    expect((await next).value?.key).toBe('c');
    expect(await readKeys(1, later)).toEqual(['c']);
    // Where it began after a cursor that may be old, a new cursor of the same place would be valid for too long.
    const resumed = await feed.read(context, prices, start);
    expect([placeOf(resumed), canRestart(resumed), canRestart(stream)]).toEqual([undefined, true, false]);
    for (const one of [stream, resumed]) await one.return?.();
  });

  test('an event that is committed after a later one was published comes after it', async () => {
    const since = await feed.cursorOfNow(context);
    let announced: (() => void) | undefined;
    let commit: (() => void) | undefined;
    const isAnnounced = new Promise<void>((resolve) => (announced = resolve));
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    const late = inTransaction(context, async (tx) => {
      await announceAll(tx, [price('late')]);
      announced?.();
      await mayCommit;
    });
    await isAnnounced;
    await publish('early');
    const stream = await feed.read(context, prices, since);
    const [early] = await take(stream, 1);
    await stream.return?.();
    commit?.();
    await late;
    await createRelay(context).drain();
    expect(keysOf([early].flatMap((event) => event ?? []))).toEqual(['early']);
    expect(await readKeys(1, cursorOf(early))).toEqual(['late']);
  });

  test('readers who come and go receive every event once, in one order, while many write and several relays publish', async () => {
    const total = 300;
    const since = await feed.cursorOfNow(context);
    const relays = [1, 2, 3].map(() => createRelay(context, { batchSize: 7, pollMs: 5 }));
    for (const relay of relays) relay.start();
    const write = async (writer: number) => {
      for (let turn = 0; turn < total / 10; turn++) {
        await inTransaction(context, async (tx) => {
          await announceAll(tx, [price(`${String(writer)}-${String(turn)}`)]);
          // Later writers overtake: the order of commits differs from the order of row numbers.
          await sleep((writer * 7 + turn * 3) % 11);
        });
      }
    };
    const readInPieces = async (piece: number) => {
      const seen: FeedEvent[] = [];
      while (seen.length < total) {
        const last = seen.at(-1);
        const stream = await feed.read(context, prices, last === undefined ? since : cursorOf(last));
        seen.push(...(await take(stream, Math.min(piece, total - seen.length))));
        await stream.return?.();
      }
      return keysOf(seen);
    };
    try {
      const readers = [1, 3, 20, total].map(readInPieces);
      await Promise.all(Array.from({ length: 10 }, (_, writer) => write(writer)));
      const [first = [], ...others] = await Promise.all(readers);
      expect(new Set(first).size).toBe(total);
      for (const other of others) expect(other).toEqual(first);
    } finally {
      for (const relay of relays) await relay.stop();
    }
  });

  test('replays by subject and by originator what it also delivers live', async () => {
    const since = await feed.cursorOfNow(context);
    const batch = (key: string, originatorId: string) => ({ topic: 'batch', key, payload: { originatorId } });
    const events = [batch('1', 'mine'), price('X'), batch('2', 'theirs'), batch('3', 'mine'), price('Y'), price('X')];
    const selections: [EventSelection, string[]][] = [
      [{ topics: ['batch'], originatorIds: ['mine', 'none'] }, ['1', '3']],
      [{ topics: ['batch'], originatorIds: ['mine'], keys: ['3', '2'] }, ['3']],
      [{ topics: ['price'], keys: ['X', 'Z'] }, ['X', 'X']],
      [{ topics }, ['1', 'X', '2', '3', 'Y', 'X']],
    ];
    const live = await Promise.all(selections.map(([selection]) => feed.read(context, selection)));
    await inTransaction(context, (tx) => announceAll(tx, events));
    await createRelay(context).drain();
    for (const [index, [selection, keys]] of selections.entries()) {
      const stream = live[index];
      if (stream === undefined) throw new Error('There is a stream for each selection');
      expect(keysOf(await take(stream, keys.length))).toEqual(keys);
      await stream.return?.();
      expect(await readKeys(keys.length, since, selection)).toEqual(keys);
    }
  });

  test('a reader far behind gets everything, from the table', async () => {
    const stream = await feed.read(context, prices);
    const keys = Array.from({ length: 1_500 }, (_, index) => String(index));
    for (let from = 0; from < keys.length; from += 300) await publish(...keys.slice(from, from + 300));
    const first = keysOf(await take(stream, 700));
    await publish('last');
    expect([...first, ...keysOf(await take(stream, 801))]).toEqual([...keys, 'last']);
    await stream.return?.();
  });

  test('an event of which the bus said nothing arrives too', async () => {
    const deaf: Bus = { ...context.bus, listen: () => Promise.resolve(() => Promise.resolve()) };
    const stream = await feed.read({ ...context, bus: deaf }, prices);
    await publish('a');
    expect(keysOf(await take(stream, 1))).toEqual(['a']);
    await stream.return?.();
  });

  test('a stream that is left while it waits ends', async () => {
    const stream = await feed.read(context, prices);
    const waiting = stream.next();
    await stream.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test('internal events have no place in it', async () => {
    const since = await feed.cursorOfNow(context);
    await inTransaction(context, (tx) =>
      announceAll(tx, [{ ...price('secret'), internal: true }, price('shown'), { ...price('other'), internal: true }]),
    );
    await createRelay(context).drain();
    await publish('next');
    expect(await readKeys(2, since)).toEqual(['shown', 'next']);
  });
});

describe('a cursor', () => {
  const code = async (since: string, at = context) =>
    feed.read(at, prices, since).then(
      async (stream) => {
        await stream.return?.();
        return 'accepted';
      },
      (error: unknown) => (error instanceof ApiError ? error.code : error),
    );
  const later = (ms: number): Context => {
    const now = new Date(context.clock.now().getTime() + ms);
    return { ...context, clock: { now: () => now } };
  };
  const week = 7 * 86_400_000;

  test('is valid for seven days, for which its events are kept', async () => {
    const since = await feed.cursorOfNow(context);
    await publish('a');
    await retentionJob.run(later(week));
    expect(await code(since, later(week))).toBe('accepted');
    expect(await readKeys(1, since)).toEqual(['a']);
    expect(await code(since, later(week + 1))).toBe('CURSOR_EXPIRED');
  });

  test('has expired once more than a thousand events that the reader wants follow it', async () => {
    const since = await feed.cursorOfNow(context);
    await publish(...Array.from({ length: 1_000 }, (_, index) => `many-${String(index)}`));
    expect(await code(since)).toBe('accepted');
    await publish('one more');
    expect(await code(since)).toBe('CURSOR_EXPIRED');
    expect(await readKeys(1, since, { topics: ['price'], keys: ['one more'] })).toEqual(['one more']);
  });

  test('of a later state of the database than the present one has expired', async () => {
    const position = 1_000_000_000;
    expect(await code(feed.cursorOf({ position, publishedAt: context.clock.now() }))).toBe('CURSOR_EXPIRED');
  });

  test('of the previous master key is valid while that is configured', async () => {
    await publish('before');
    const ring = createKeyRing(Buffer.alloc(32, 2), testMasterKey);
    const next = createEventFeed({ keyRing: ring, topics, pollMs: 20 });
    const stream = await next.read(context, prices, await feed.cursorOfNow(context));
    await publish('after');
    expect(keysOf(await take(stream, 1))).toEqual(['after']);
    await stream.return?.();
  });

  test('that was altered, invented, or sealed under another key is refused', async () => {
    const cursor = await feed.cursorOfNow(context);
    const other = createEventCursors(createKeyRing(Buffer.alloc(32, 9)));
    const foreign = other.seal({ position: 0, publishedAt: context.clock.now() });
    for (const wrong of ['', 'x', `${cursor}A`, cursor.slice(1), `${cursor}=`, foreign]) {
      expect(await code(wrong)).toBe('BAD_REQUEST');
    }
    await fc.assert(
      fc.asyncProperty(
        fc.nat(cursor.length - 1),
        fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_'),
        async (at, letter) => {
          fc.pre(cursor[at] !== letter);
          expect(await code(cursor.slice(0, at) + letter + cursor.slice(at + 1))).toBe('BAD_REQUEST');
        },
      ),
      { numRuns: 50 },
    );
  });

  test('opens to the place that it was sealed from, and is the same every time', () => {
    const cursors = createEventCursors(testKeyRing);
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.date({ min: new Date(0), noInvalidDate: true }), (position, publishedAt) => {
        const cursor = cursors.seal({ position, publishedAt });
        expect(cursors.open(cursor)).toEqual({ position, publishedAt });
        expect(cursors.seal({ position, publishedAt })).toBe(cursor);
      }),
    );
  });
});
