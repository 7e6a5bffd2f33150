import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { cacheLookups, shared } from './memo.js';

const keptMs = 50;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const lasting = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('no value is older than its call by more than the time for which it is kept or which its run took', async () => {
  const calls = fc.array(fc.record({ lasts: fc.nat(120), pause: fc.nat(80) }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(calls, async (given) => {
      const load = shared<{ readAt: number; took: number }>({ keptMs });
      const ended: Promise<void>[] = [];
      const begun: number[] = [];
      for (const { lasts, pause } of given) {
        const asked = performance.now();
        const read = async () => {
          const readAt = performance.now();
          begun.push(readAt);
          await lasting(lasts);
          return { readAt, took: lasts };
        };
        ended.push(
          load('one', read).then(({ readAt, took }) => {
            expect(asked - readAt).toBeLessThanOrEqual(Math.max(keptMs, took));
          }),
        );
        await jest.advanceTimersByTimeAsync(pause);
      }
      // Longer than any run, and no longer: the worker's other timers are on this clock too.
      await jest.advanceTimersByTimeAsync(200);
      await Promise.all(ended);
      // However many call, runs begin that far apart.
      for (const [place, time] of begun.slice(1).entries())
        expect(time - (begun[place] ?? 0)).toBeGreaterThanOrEqual(keptMs);
    }),
  );
});

test('a failure is that of one caller: the others share one more run, and its failure', async () => {
  const load = shared<string>({ keptMs });
  const begun: string[] = [];
  const works = (name: string, fails: boolean) => async () => {
    begun.push(name);
    await lasting(5);
    if (fails) throw new Error(name);
    return name;
  };
  const answersOf = async (...asked: readonly Promise<string>[]) => {
    const answers = Promise.allSettled(asked);
    await jest.advanceTimersByTimeAsync(20);
    return (await answers).map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)));
  };
  expect(
    await answersOf(
      load('one', works('first', true)),
      load('one', works('second', false)),
      load('one', works('third', false)),
      load('two', works('fourth', false)),
    ),
  ).toEqual(['Error: first', 'second', 'second', 'fourth']);
  const failing = ['a', 'b', 'c'].map((name) => load('three', works(name, true)));
  expect(await answersOf(...failing)).toEqual(['Error: a', 'Error: b', 'Error: b']);
  expect(await answersOf(load('three', works('d', false)))).toEqual(['d']);
  expect(begun).toEqual(['first', 'fourth', 'second', 'a', 'b', 'd']);
});

test('a result that took longer than others wait for it is kept all the same, until a later one is there', async () => {
  const load = shared<number>({ keptMs: 60_000 });
  let runs = 0;
  const ask = () =>
    load('one', async () => {
      const run = (runs += 1);
      await lasting(1_200);
      return run;
    });
  const asked: Promise<number>[] = [];
  for (let round = 0; round < 6; round++) {
    asked.push(ask());
    await jest.advanceTimersByTimeAsync(500);
  }
  // The second run, begun after 0.9 seconds, ends after the first: its result is the newer one.
  expect(await Promise.all(asked)).toEqual([1, 1, 2, 1, 1, 2]);
});

test('a run that does not end is shared with nobody who calls after a second', async () => {
  const load = shared<string>({ keptMs });
  void load('one', () => new Promise(() => undefined));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await load('one', () => Promise.resolve('read'))).toBe('read');
});

/** Returns a function that counts the runs of one key: each result is the number of its run. */
function counter(options: Parameters<typeof shared<number>>[0]) {
  const load = shared<number>(options);
  let runs = 0;
  const ask = (key = 'one', asked: Parameters<typeof load>[2] = {}) =>
    load(key, () => Promise.resolve((runs += 1)), asked);
  return { load, ask };
}

test('the age of a result goes by the clock of its caller, where one is given', async () => {
  const { ask } = counter({ keptMs });
  expect(await ask('one', { now: 1_000 })).toBe(1);
  expect(await ask('one', { now: 1_049 })).toBe(1);
  expect(await ask('one', { now: 1_050 })).toBe(2);
});

test('a result of another state, a forgotten one and one that is not worth keeping are made anew', async () => {
  const { load, ask } = counter({ keptMs: Infinity, keeps: (value) => value !== 3 });
  expect(await ask('one', { stamp: 'a' })).toBe(1);
  expect(await ask('one', { stamp: 'a' })).toBe(1);
  expect(await ask('one', { stamp: 'b' })).toBe(2);
  load.forget('one');
  expect(await ask('one', { stamp: 'b' })).toBe(3);
  expect(await ask('one', { stamp: 'b' })).toBe(4);
});

test('the least recently used results leave when there are too many', async () => {
  const { ask } = counter({ keptMs: Infinity, maxEntries: 2 });
  for (const key of ['one', 'two', 'one', 'three']) await ask(key);
  expect([await ask('one'), await ask('three'), await ask('two')]).toEqual([1, 3, 4]);
});

test('look-ups are counted by the name of the cache', async () => {
  const { ask } = counter({ name: 'memo-test', keptMs: Infinity });
  for (const key of ['one', 'one', 'two']) await ask(key);
  const { values } = await cacheLookups.get();
  const counted = values.filter(({ labels }) => labels.cache === 'memo-test');
  expect(counted.map(({ labels, value }) => [labels.outcome, value])).toEqual([
    ['miss', 2],
    ['hit', 1],
  ]);
});
