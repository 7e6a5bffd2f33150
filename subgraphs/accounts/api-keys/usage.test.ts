import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fixedClock } from '../../../tests/kit/clock.js';
import { createLog } from '../../../shared/kernel/log.js';
import { countUsage, flushEveryMs } from './usage.js';

type Uses = Record<string, { readonly requests: number; readonly lastUsedAt: Date }>;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const start = '2026-11-20T15:00:00Z';

/** Creates a counter whose writes are kept here; `fails` makes them fail. */
function watch() {
  const clock = fixedClock(start);
  const written: Uses[] = [];
  const lines: string[] = [];
  const state = { fails: false };
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const usage = countUsage({ clock, log }, async (uses) => {
    await Promise.resolve();
    if (state.fails) throw new Error('no database');
    written.push(Object.fromEntries([...uses].map(([id, use]) => [id, { ...use }])));
  });
  return { clock, written, lines, state, usage };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const later = '2026-11-20T15:00:09Z';

describe('the use of credentials', () => {
  test('is written every five seconds, in one statement, with how often and when last', async () => {
    const { clock, written, usage } = watch();
    usage.count('a');
    usage.count('b');
    clock.set(later);
    usage.count('a');
    jest.advanceTimersByTime(flushEveryMs - 1);
    await settle();
    expect(written).toEqual([]);
    jest.advanceTimersByTime(1);
    await settle();
    expect(written).toEqual([
      { a: { requests: 2, lastUsedAt: new Date(later) }, b: { requests: 1, lastUsedAt: new Date(start) } },
    ]);
    usage.count('a');
    jest.advanceTimersByTime(flushEveryMs);
    await settle();
    expect(written.slice(1)).toEqual([{ a: { requests: 1, lastUsedAt: new Date(later) } }]);
  });

  test('is not written where there was none', async () => {
    const { written, usage } = watch();
    jest.advanceTimersByTime(3 * flushEveryMs);
    await usage.flush();
    expect(written).toEqual([]);
  });

  test('keeps the latest moment when the clock is set back', async () => {
    const { clock, written, usage } = watch();
    clock.set(later);
    usage.count('a');
    clock.set(start);
    usage.count('a');
    await usage.flush();
    expect(written).toEqual([{ a: { requests: 2, lastUsedAt: new Date(later) } }]);
  });

  test('that could not be written is written the next time, with what came meanwhile, and logged', async () => {
    const { clock, written, lines, state, usage } = watch();
    state.fails = true;
    usage.count('a');
    usage.count('b');
    const failing = usage.flush();
    await Promise.resolve();
    clock.set(later);
    usage.count('a');
    await failing;
    expect(written).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/"level":40,.*no database.*it will be retried/);
    state.fails = false;
    await usage.flush();
    expect(written).toEqual([
      { a: { requests: 2, lastUsedAt: new Date(later) }, b: { requests: 1, lastUsedAt: new Date(start) } },
    ]);
  });

  test('is written before its time once 20,000 credentials are held, and once only in an interval', async () => {
    const { written, usage } = watch();
    const countMany = (prefix: string, size: number) => {
      for (let index = 0; index < size; index += 1) usage.count(`${prefix}${index}`);
    };
    countMany('a', 20_000);
    await settle();
    expect(written).toEqual([]);
    usage.count('one more');
    await settle();
    expect(written.map((uses) => Object.keys(uses).length)).toEqual([20_001]);
    countMany('b', 20_001);
    await settle();
    expect(written).toHaveLength(1);
    jest.advanceTimersByTime(flushEveryMs);
    await settle();
    countMany('c', 20_001);
    await settle();
    expect(written.map((uses) => Object.keys(uses).length)).toEqual([20_001, 20_001, 20_001]);
  });

  test('is counted for 100,000 credentials at most while nothing can be written; those go on being counted', async () => {
    const { written, state, usage } = watch();
    state.fails = true;
    for (let index = 0; index < 100_001; index += 1) {
      usage.count(`a${index}`);
      if (index === 20_000) await settle();
    }
    usage.count('a0');
    state.fails = false;
    await usage.flush();
    const [uses = {}] = written;
    expect(Object.keys(uses)).toHaveLength(100_000);
    expect([uses['a0']?.requests, uses['a100000']]).toEqual([2, undefined]);
  });

  test('that is left is written at the end, and the interval ends', async () => {
    const { written, usage } = watch();
    usage.count('a');
    await usage.close();
    expect(written).toHaveLength(1);
    usage.count('a');
    jest.advanceTimersByTime(3 * flushEveryMs);
    await settle();
    expect(written).toHaveLength(1);
  });
});
