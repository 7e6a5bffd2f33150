import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judge, type AttemptResult, type Standing, deliveryIdOf, eventOf } from './delivery.js';

const documented = [60_000, 300_000, 1_800_000, 7_200_000, 43_200_000];
const fresh: Standing = { failures: 0, byPrevious: false, overlap: false };
const chance = fc.double({ min: 0, max: 1, noNaN: true });
const schedule = fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 1, maxLength: 10 });
const failed: fc.Arbitrary<AttemptResult> = fc.record({
  status: fc.option(
    fc.integer({ min: 200, max: 599 }).filter((status) => status !== 200 && status !== 410),
    {
      nil: undefined,
    },
  ),
  retryAfterMs: fc.option(fc.nat(10_000_000_000), { nil: undefined }),
});

describe('what follows from an attempt', () => {
  test('is the next wait of the schedule, up to 10 % longer, or as long as the receiver asks up to the longest wait', () => {
    fc.assert(
      fc.property(schedule, fc.nat(9), failed, chance, (delays, step, result, luck) => {
        const failures = step % delays.length;
        const delay = delays[failures] ?? 0;
        const longest = Math.max(...delays);
        const verdict = judge({ ...fresh, failures }, result, delays, luck);
        expect(verdict).toMatchObject({ status: 'pending', failures: failures + 1 });
        const asked = Math.min(result.retryAfterMs ?? 0, longest);
        expect(verdict.waitMs).toBeGreaterThanOrEqual(Math.max(delay, asked));
        expect(verdict.waitMs).toBeLessThanOrEqual(Math.ceil(Math.max(delay * 1.1, asked)));
      }),
    );
  });

  test('is the end for 410, at whatever attempt', () => {
    expect(judge(fresh, { status: 410 }, documented, 0)).toMatchObject({ status: 'failed', deactivates: 'gone' });
  });

  test('is one attempt by the other secret at once, where two sign and the signature was refused; it is no step', () => {
    for (const status of [400, 401, 403]) {
      const verdict = judge({ failures: 2, byPrevious: false, overlap: true }, { status }, documented, 0);
      expect(verdict).toEqual({ status: 'pending', failures: 2, byPrevious: true, waitMs: 0 });
      const then = judge({ failures: 2, byPrevious: true, overlap: true }, { status }, documented, 0);
      expect(then).toMatchObject({ status: 'pending', failures: 3, byPrevious: false, waitMs: documented[2] });
    }
    expect(judge({ ...fresh, overlap: true }, { status: 500 }, documented, 0).byPrevious).toBe(false);
    expect(judge(fresh, { status: 401 }, documented, 0).byPrevious).toBe(false);
  });
});

const keys = fc.record({ subscriptionId: fc.uuid(), eventId: fc.uuid() });

describe('the id of a delivery', () => {
  test('names nothing of another webhook', () => {
    fc.assert(
      fc.property(keys, fc.uuid(), (key, other) => {
        fc.pre(other !== key.subscriptionId);
        expect(eventOf(other, deliveryIdOf(key))).toBeUndefined();
      }),
    );
  });

  test('is no other text', () => {
    fc.assert(
      fc.property(keys, fc.string({ minLength: 1 }), (key, more) => {
        fc.pre(!/^[\da-f]+$/i.test(more));
        for (const text of [more, deliveryIdOf(key) + more, `_${key.eventId}`, `${key.subscriptionId}_`])
          expect(eventOf(key.subscriptionId, text)).toBeUndefined();
      }),
    );
  });
});
