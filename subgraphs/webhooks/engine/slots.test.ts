import { describe, expect, test } from '@jest/globals';
import { createSlots, createHold } from './engine.js';
import type { Lane } from './claim.store.js';
import { fixedClock } from '../../../tests/kit/clock.js';

/** Slots with some taken by each lane, all of one subscription per lane. */
function taken(counts: Readonly<Record<Lane, number>>, total = 9) {
  const slots = createSlots({ total, perSubscription: total });
  for (const lane of ['first', 'later'] as const) {
    for (let count = 0; count < counts[lane]; count += 1) slots.take(lane, lane);
  }
  return slots;
}

describe('places for attempts', () => {
  test.each([
    [{ first: 0, later: 0 }, 6, 4],
    [{ first: 6, later: 0 }, 0, 3],
    [{ first: 0, later: 4 }, 5, 0],
    [{ first: 5, later: 4 }, 0, 0],
    [{ first: 5, later: 3 }, 1, 1],
    [{ first: 2, later: 1 }, 4, 3],
  ])('leave three quarters at most to first attempts, and half to the others: %p', (counts, first, later) => {
    const slots = taken(counts);
    expect([slots.free('first'), slots.free('later')]).toEqual([first, later]);
  });

  test('are counted by subscription in both lanes together, and none is kept of one that has none', () => {
    const slots = createSlots({ total: 9, perSubscription: 9 });
    slots.take('first', 'a');
    slots.take('later', 'a');
    slots.take('first', 'b');
    expect([...slots.underWay]).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    slots.give('first', 'a');
    slots.give('first', 'b');
    expect([...slots.underWay]).toEqual([['a', 1]]);
  });
});

test('a subscription is left alone for so long, and whoever holds it first is notified once', () => {
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const held = createHold(clock, 60_000);
  expect(held.ids()).toEqual([]);
  expect(held.hold('a')).toBe(true);
  clock.advance(1);
  expect([held.hold('a'), held.hold('b')]).toEqual([false, true]);
  expect(held.ids()).toEqual(['a', 'b']);
  clock.advance(59_998);
  expect(held.hold('a')).toBe(false);
  expect(held.ids()).toEqual(['a', 'b']);
  // Pausing it again did not extend the pause.
  clock.advance(1);
  expect(held.ids()).toEqual(['b']);
  expect(held.hold('a')).toBe(true);
  expect(held.ids().toSorted()).toEqual(['a', 'b']);
});

test('what was held is reported anew at the moment at which it ends, also where nobody has looked meanwhile', () => {
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const held = createHold(clock, 60_000);
  held.hold('a');
  clock.advance(60_000);
  expect(held.hold('a')).toBe(true);
  expect(held.ids()).toEqual(['a']);
});
