import { expect, test } from '@jest/globals';
import { buildSchema, parse, getOperationAST } from 'graphql';
import { testContext } from '../../tests/kit/context.js';
import { random, randomInt } from '../../tests/kit/random.js';
import { asyncIterator, finished } from '../../shared/kernel/async-iterator.js';
import type { Context } from '../../shared/kernel/context.js';
import { placed } from '../../shared/kernel/stream-place.js';
import type { GraphResult, GraphResultStream } from '../../shared/graphql/executor.js';
import type { Graph } from '../graph/graph.js';
import { createSharedRuns } from './shared-runs.js';
import { createSubscriptionLimiter } from './subscription-limiter.js';
import type { Prepared, Sharing } from '../graph/operation.js';
import { subscribeShared } from './shared-subscription.js';

const document = parse('subscription { ticks }');

interface NumbersOptions {
  /** Returns the subject of streams that begin now. */
  readonly subjectOf?: () => string | undefined;
  /** Whether all streams that are open were lost, and are begun again. */
  readonly isBehind?: () => boolean;
  /** Text that makes results large. */
  readonly padding?: string;
}

/** A graph whose only subscription reports numbers. Its streams show what is published after they began, or after a cursor. */
function numbers({ subjectOf = () => 'the estate', isBehind = () => false, padding = '' }: NumbersOptions = {}) {
  const published: number[] = [];
  const waiting = new Set<() => void>();
  const open = new Set<GraphResultStream>();
  const begun: (string | undefined)[] = [];
  let made = 0;
  const streamFrom = (from: number): GraphResultStream => {
    let at = from;
    const next = async () => {
      while (open.has(stream)) {
        const number = published[at];
        if (number !== undefined) {
          at += 1;
          const cursor = String(at);
          made += 1;
          const result: GraphResult = { data: { ticks: number, padding } };
          return { done: false, value: placed(result, { cursor: () => cursor }) } as const;
        }
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
      return finished;
    };
    const stream = asyncIterator(next, () => {
      open.delete(stream);
      wake();
    });
    open.add(stream);
    const subject = subjectOf();
    return placed(stream, subject === undefined ? { isBehind } : { isBehind, subject });
  };
  const wake = () => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  const graph: Graph = {
    apiSchema: buildSchema('type Query { now: Int }'),
    gateway: undefined as never,
    prepare: () => {
      throw new Error('Nothing is prepared here');
    },
    run: () => Promise.resolve({}),
    subscribe: (_prepared, _variables, { resumeAfter }) => {
      begun.push(resumeAfter);
      return Promise.resolve(streamFrom(resumeAfter === undefined ? published.length : Number(resumeAfter)));
    },
  };
  const publish = async (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      published.push(published.length);
      wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { graph, publish, begun, open, made: () => made };
}

function reader(
  graph: Graph,
  runs: ReturnType<typeof createSharedRuns<GraphResult>>,
  begins: Sharing['begins'],
  places = createSubscriptionLimiter({ max: 100, maxPerNetwork: 100, maxPerOwner: 100 }),
) {
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('There is no operation');
  const prepared: Prepared = { document, operation, sharing: { begins, readers: 'everyone', text: 'ticks' } };
  const context: Context = testContext({ manager: undefined as never });
  return subscribeShared({ graph, runs, limiter: places }, { prepared, variables: {}, context }).then((stream) => {
    if (!('next' in stream)) throw new Error('It did not begin');
    return stream;
  });
}

async function take(stream: GraphResultStream, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) taken.push((await stream.next()).value?.data?.['ticks']);
  return taken;
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([
  ['a reader who falls far behind the others', '', 300, 200],
  ['of large results, which wait in smaller numbers, a slow reader', 'x'.repeat(200_000), 20, 5],
])(
  '%s gets what waits and an error by which it subscribes again; the others share on',
  async (_who, padding, count, kept) => {
    const { graph, publish, begun, open } = numbers({ padding });
    const runs = createSharedRuns<GraphResult>();
    const [quick, slow] = [await reader(graph, runs, 'events'), await reader(graph, runs, 'events')];
    expect([runs.count, open.size]).toEqual([1, 1]);
    const heard = take(quick, count);
    await publish(count);
    expect(await heard).toEqual(upTo(count));
    expect(await take(slow, kept)).toEqual(upTo(kept));
    expect((await slow.next()).value).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    expect(begun).toEqual([undefined, undefined]);
    await quick.return?.();
    expect([runs.count, open.size]).toEqual([0, 0]);
  },
);

test('a reader alone that does not read has nothing computed for it, and misses nothing', async () => {
  const { graph, publish, begun, made } = numbers();
  const slow = await reader(graph, createSharedRuns<GraphResult>(), 'events');
  await publish(50);
  expect(made()).toBe(1);
  expect(await take(slow, 20)).toEqual(upTo(20));
  expect(made()).toBeLessThanOrEqual(21);
  const heard = take(slow, 31);
  await publish(1);
  expect(await heard).toEqual(upTo(51).slice(20));
  expect(begun).toEqual([undefined]);
  await slow.return?.();
});

test('readers none of whom reads have little computed for them; the fastest sets the pace, and none misses anything', async () => {
  const { graph, publish, begun, made } = numbers();
  const runs = createSharedRuns<GraphResult>();
  const [one, other, idle] = await Promise.all(Array.from({ length: 3 }, () => reader(graph, runs, 'events')));
  if (one === undefined || other === undefined || idle === undefined) throw new Error('There are three');
  await publish(150);
  expect(made()).toBeLessThan(20);
  expect(await take(one, 150)).toEqual(upTo(150));
  expect(await take(other, 150)).toEqual(upTo(150));
  expect(begun).toHaveLength(3);
  // The run goes on for the one who is left, at its pace.
  for (const stream of [one, other]) await stream.return?.();
  await publish(10);
  expect(await take(idle, 160)).toEqual(upTo(160));
  await idle.return?.();
  expect(runs.count).toBe(0);
});

test('who joins a run that is behind its slow reader begins with what comes from then on', async () => {
  const { graph, publish, open } = numbers();
  const runs = createSharedRuns<GraphResult>();
  const slow = await reader(graph, runs, 'events');
  await publish(50);
  const [late, later] = [await reader(graph, runs, 'events'), await reader(graph, runs, 'events')];
  expect([runs.count, open.size]).toEqual([2, 2]);
  const heard = [take(late, 1), take(later, 1)];
  await publish(1);
  expect(await Promise.all(heard)).toEqual([[50], [50]]);
  expect(await take(slow, 51)).toEqual(upTo(51));
  for (const stream of [slow, late, later]) await stream.return?.();
  expect([runs.count, open.size]).toEqual([0, 0]);
});

test('who comes while the stream of a run is begun again has nothing to do with it, whether it joined before or not', async () => {
  let isLost = false;
  const { graph, publish, open } = numbers({ isBehind: () => isLost });
  const runs = createSharedRuns<GraphResult>();
  const first = await reader(graph, runs, 'events');
  const losing: Graph = {
    ...graph,
    subscribe: (...asked) => {
      isLost = true;
      return graph.subscribe(...asked);
    },
  };
  const joined = await reader(losing, runs, 'events');
  expect([runs.count, open.size]).toEqual([1, 2]);
  const late = await reader(graph, runs, 'events');
  expect([runs.count, open.size]).toEqual([2, 3]);
  isLost = false;
  const last = await reader(graph, runs, 'events');
  expect([runs.count, open.size]).toEqual([2, 3]);
  const heard = [first, joined, late, last].map((stream) => take(stream, 1));
  await publish(1);
  expect(await Promise.all(heard)).toEqual([[0], [0], [0], [0]]);
  for (const stream of [first, joined, late, last]) await stream.return?.();
  expect([runs.count, open.size]).toEqual([0, 0]);
});

test('of the latest state a slow reader gets the last alone, and one who joins begins with it', async () => {
  const { graph, publish, begun } = numbers();
  const runs = createSharedRuns<GraphResult>();
  const slow = await reader(graph, runs, 'latest');
  await publish(300);
  const late = await reader(graph, runs, 'latest');
  expect([await take(slow, 1), await take(late, 1)]).toEqual([[299], [299]]);
  expect(begun).toEqual([undefined, undefined]);
  for (const stream of [slow, late]) await stream.return?.();
  expect(runs.count).toBe(0);
});

test('a reader who leaves while it waits is let go at once, and one who waits for nobody ends with the run', async () => {
  const { graph, open } = numbers();
  const runs = createSharedRuns<GraphResult>();
  const [first, second] = [await reader(graph, runs, 'events'), await reader(graph, runs, 'events')];
  const waiting = [first.next(), second.next()];
  await first.return?.();
  expect(await waiting[0]).toEqual({ done: true, value: undefined });
  for (const stream of open) await stream.return?.();
  expect(await waiting[1]).toEqual({ done: true, value: undefined });
  expect(runs.count).toBe(0);
});

test('readers who come and go at random, at any pace, each get all that comes from where they joined on, until they are too slow', async () => {
  const { graph, publish, open } = numbers();
  const runs = createSharedRuns<GraphResult>();
  let isOver = false;
  const read = async () => {
    const stream = await reader(graph, runs, 'events');
    const pauses = random() < 0.3;
    const heard: unknown[] = [];
    for (let left = 1 + randomInt(400); left > 0 && !isOver; left -= 1) {
      const { done, value } = await stream.next();
      if (done === true || value.errors !== undefined) break;
      heard.push(value.data?.['ticks']);
      if (pauses) await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await stream.return?.();
    expect(heard).toEqual(heard.map((_, index) => Number(heard[0]) + index));
    return heard.length;
  };
  const readers: Promise<number>[] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    readers.push(read());
    await publish(25);
  }
  isOver = true;
  // Wakes those who wait for another one.
  await publish(1);
  const counts = await Promise.all(readers);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1_000);
  expect([runs.count, open.size]).toEqual([0, 0]);
});

test('a reader whose names lead to something else than those of a run keeps its own', async () => {
  let subject = 'the old estate';
  const { graph, publish, open } = numbers({ subjectOf: () => subject });
  const runs = createSharedRuns<GraphResult>();
  const first = await reader(graph, runs, 'events');
  subject = 'the new estate';
  const second = await reader(graph, runs, 'events');
  expect([runs.count, open.size]).toEqual([1, 2]);
  const heard = [take(first, 1), take(second, 1)];
  await publish(1);
  expect(await Promise.all(heard)).toEqual([[0], [0]]);
  await first.return?.();
  expect([runs.count, open.size]).toEqual([0, 1]);
  await second.return?.();
  expect(open.size).toBe(0);
});

test('readers of events of a subgraph that does not say what they are about each keep their own stream', async () => {
  const { graph, publish, open } = numbers({ subjectOf: () => undefined });
  const runs = createSharedRuns<GraphResult>();
  const readers = [await reader(graph, runs, 'events'), await reader(graph, runs, 'events')];
  expect([runs.count, open.size]).toEqual([0, 2]);
  const heard = readers.map((stream) => take(stream, 1));
  await publish(1);
  expect(await Promise.all(heard)).toEqual([[0], [0]]);
  for (const stream of readers) await stream.return?.();
  expect(open.size).toBe(0);
  // The state of a market, which has no other name.
  const states = [await reader(graph, runs, 'latest'), await reader(graph, runs, 'latest')];
  expect([runs.count, open.size]).toEqual([1, 1]);
  for (const stream of states) await stream.return?.();
});

test('a reader whose run ends while it begins goes on with its own stream', async () => {
  const { graph, publish, open } = numbers();
  const runs = createSharedRuns<GraphResult>();
  const first = await reader(graph, runs, 'events');
  let mayBegin: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (mayBegin = resolve));
  const slow: Graph = { ...graph, subscribe: (...asked) => until.then(() => graph.subscribe(...asked)) };
  const begins = reader(slow, runs, 'events');
  for (const stream of open) await stream.return?.();
  expect(await first.next()).toEqual({ done: true, value: undefined });
  mayBegin();
  const second = await begins;
  const heard = take(second, 1);
  await publish(1);
  expect(await heard).toEqual([0]);
  await second.return?.();
  expect([runs.count, open.size]).toEqual([0, 0]);
});

test('readers who joined a run hold no place; the run holds one until it ends, and only then another begins', async () => {
  const { graph } = numbers();
  const runs = createSharedRuns<GraphResult>();
  const places = createSubscriptionLimiter({ max: 2, maxPerNetwork: 2, maxPerOwner: 2 });
  const readers = [];
  for (let count = 0; count < 5; count += 1) readers.push(await reader(graph, runs, 'events', places));
  const others = createSharedRuns<GraphResult>();
  await reader(graph, others, 'events', places);
  await expect(reader(graph, createSharedRuns(), 'events', places)).rejects.toThrow('It did not begin');
  expect(others.count).toBe(1);
  for (const left of readers) await left.return?.();
  await reader(graph, createSharedRuns(), 'events', places);
});
