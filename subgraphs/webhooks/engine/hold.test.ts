import { expect, test } from '@jest/globals';
import { fixedClock } from '../../../shared/kernel/clock.js';
import { createHold } from './engine.js';

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
