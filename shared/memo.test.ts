import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { recentRuns } from './memo.js';

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
      const load = recentRuns<{ readAt: number; took: number }>(keptMs);
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

test('a failure is that of one caller: the others read for themselves, and the next call as well', async () => {
  const load = recentRuns<string>(keptMs);
  const works = (name: string, fails: boolean) => async () => {
    await lasting(5);
    if (fails) throw new Error(name);
    return name;
  };
  const answers = Promise.allSettled([
    load('one', works('first', true)),
    load('one', works('second', false)),
    load('two', works('third', false)),
  ]);
  await jest.advanceTimersByTimeAsync(20);
  expect((await answers).map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    'Error: first',
    'second',
    'third',
  ]);
  const next = load('one', works('fourth', false));
  await jest.advanceTimersByTimeAsync(20);
  expect(await next).toBe('fourth');
});

test('a run that does not end is shared with nobody who calls after a second', async () => {
  const load = recentRuns<string>(keptMs);
  void load('one', () => new Promise(() => undefined));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await load('one', () => Promise.resolve('read'))).toBe('read');
});
