import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { channelsOf } from '../../gateway/live/socket/channels.js';
import { createSharedRuns } from '../../gateway/live/shared-runs.js';
import { sendLatest } from '../../gateway/live/socket/connection.js';
import { systemClock } from '../../shared/kernel/clock.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { createMarketStreams } from '../../subgraphs/trading/streams/market-streams.js';
import { quietLog } from '../kit/context.js';
import { createContext } from '../../shared/kernel/context.js';
import { createLocalBus } from '../../shared/events/bus.js';
import { openSocketPlatform, orderNamed, type Frame, type SocketClient } from './socket-kit.js';

jest.setTimeout(600_000);

const kit = await openSocketPlatform(
  {},
  {
    sockets: {
      bounds: { highWaterBytes: 16_384, maxQueuedBytes: 1_048_576, drainMs: 300, leastBytesPerSecond: 1e9 },
    },
  },
);
afterAll(() => kit.close());

/** Reads until an event, or until the socket closes, and returns the last event that came; each must be the next one. */
async function readAll(client: SocketClient, last: number, end = Infinity): Promise<number> {
  let at = last;
  while (at < end) {
    const frame = await client.next().catch(() => undefined);
    if (frame === undefined) return at;
    at = follows(frame, at);
  }
  return at;
}

function follows(frame: Frame, last: number): number {
  if (frame.type !== 'update') return last;
  if (frame.snapshot !== true) expect(frame.eventId).toBe(last + 1);
  return frame.eventId ?? last;
}

test('a reader that cannot keep up is let go, and misses nothing when it goes on where it was', async () => {
  const trader = await kit.trader();
  const wallet = await kit.wallet(trader);
  const client = await kit.connect();
  client.send({ action: 'subscribe', channel: 'orders', token: trader.token });
  await client.take(2);
  client.socket.pause();
  const events = 300;
  const padding = 'x'.repeat(65_536);
  for (let number = 1; number <= events; number += 1) await kit.append(wallet, orderNamed(String(number), padding));
  // Long enough for the server to see that nothing is read, and shorter than it waits for the close of a peer.
  await sleep(1_000);
  client.socket.resume();
  const last = await readAll(client, 0);
  // 1006 where this machine took so long that the server no longer waited for the close of its peer.
  expect([4008, 1006]).toContain((await client.closed).code);
  expect(last).toBeLessThan(events);
  let at = last;
  // A machine that is busy with other things may be too slow again: it goes on once more.
  while (at < events) {
    const again = await kit.connect();
    again.send({ action: 'subscribe', channel: 'orders', token: trader.token, lastEventId: at });
    expect((await again.next()).type).toBe('subscribed');
    at = await readAll(again, at, events);
  }
  expect(at).toBe(events);
});

describe('prices', () => {
  const [channel] = channelsOf({ channel: 'ticker:BTC/BRL' });
  if (channel === undefined) throw new Error('There is no ticker');
  const answerOf = (price: number): GraphResult => ({
    data: { event: { kind: 'UPDATE', eventId: String(price), timestamp: '2026-11-22T12:00:00.000Z', data: { price } } },
  });

  /** A stream that gives what is pushed. */
  function pushed() {
    const waiting: ((result: IteratorResult<GraphResult, undefined>) => void)[] = [];
    const queue: GraphResult[] = [];
    let ended = 0;
    const stream = {
      next: () =>
        new Promise<IteratorResult<GraphResult, undefined>>((resolve) => {
          const value = queue.shift();
          if (value === undefined) waiting.push(resolve);
          else resolve({ done: false, value });
        }),
      return: () => Promise.resolve({ done: true as const, value: undefined }),
      [Symbol.asyncIterator]: () => stream,
    };
    return {
      /** The stream of one reader; of those that are not ended, the first shows the events. */
      stream: () => ({
        ...stream,
        return: () => {
          ended += 1;
          return stream.return();
        },
      }),
      push: async (value: GraphResult) => {
        const reader = waiting.shift();
        if (reader === undefined) queue.push(value);
        else reader({ done: false, value });
        await sleep(0);
      },
      ended: () => ended,
    };
  }

  test('are made text once for all readers, and a slow one gets the latest alone', async () => {
    const runs = createSharedRuns<Buffer>();
    const source = pushed();
    const failed = () => {
      throw new Error('The run failed');
    };
    const fast: (string | Buffer)[] = [];
    const slow: (string | Buffer)[] = [];
    let taken: () => void = () => undefined;
    const ends = [
      sendLatest(channel, runs, source.stream(), { failed, send: (frame) => Promise.resolve(void fast.push(frame)) }),
      sendLatest(channel, runs, source.stream(), {
        failed,
        send: (frame) => {
          slow.push(frame);
          return new Promise((resolve) => (taken = resolve));
        },
      }),
    ];
    for (let price = 1; price <= 50; price += 1) await source.push(answerOf(price));
    expect(fast).toHaveLength(50);
    expect(slow).toEqual([fast[0]]);
    taken();
    await sleep(0);
    expect(slow).toHaveLength(2);
    // The very same bytes.
    expect(slow[1]).toBe(fast[49]);
    // The stream of the second reader showed that it may read, and was not read.
    expect([source.ended(), runs.count]).toEqual([1, 1]);
    for (const end of ends) end();
    expect([source.ended(), runs.count]).toEqual([2, 0]);
  });

  test('are asked for once for a change, whoever reads them, and not while nobody does', async () => {
    let [reads, price] = [0, 1];
    const listeners = new Set<() => void>();
    const change = () => {
      price += 1;
      for (const listener of listeners) listener();
    };
    const streams = createMarketStreams({
      requireMarket: () => Promise.resolve({ priceDecimals: 2, baseDecimals: 8 }),
      read: () => {
        reads += 1;
        return { price };
      },
      onChange: (_ref, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    const context = createContext({
      clock: systemClock,
      log: quietLog,
      bus: createLocalBus(),
      manager: kit.platform.infrastructure.dataSource.manager,
    });
    const read = () => streams.read(context, { synthetic: false, symbol: 'BTC/BRL' });
    const readers = await Promise.all([read(), read(), read()]);
    expect([streams.feeds, listeners.size, reads]).toEqual([1, 1, 0]);
    const first = await Promise.all(readers.map((reader) => reader.next()));
    expect(new Set(first.map(({ value }) => value as object)).size).toBe(1);
    expect(reads).toBe(1);
    for (let turn = 0; turn < 100; turn += 1) change();
    const next = await Promise.all(readers.map((reader) => reader.next()));
    expect(next.map(({ value }) => (value as { data: object }).data)).toEqual(readers.map(() => ({ price: 101 })));
    expect(reads).toBe(2);
    const waiting = readers.map((reader) => reader.next());
    for (const reader of readers) await reader.return?.();
    expect((await Promise.all(waiting)).every(({ done }) => done === true)).toBe(true);
    expect([streams.feeds, listeners.size]).toEqual([0, 0]);
  });
});
