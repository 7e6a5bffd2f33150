import { expect, test } from '@jest/globals';
import { untilFew } from './turns.js';

test('a step is repeated until it handles fewer than it may', async () => {
  const counts = [3, 3, 2, 3];
  expect(await untilFew(3, () => Promise.resolve(counts.shift() ?? 0))).toBe(8);
  expect(counts).toEqual([3]);
});

test('it ends after the current step when the instance stops, and does nothing once it has stopped', async () => {
  const stopping = new AbortController();
  let steps = 0;
  const step = () => {
    steps += 1;
    if (steps === 2) stopping.abort();
    return Promise.resolve(3);
  };
  expect(await untilFew(3, step, stopping.signal)).toBe(6);
  expect(await untilFew(3, step, stopping.signal)).toBe(0);
  expect(steps).toBe(2);
});
