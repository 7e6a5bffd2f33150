import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createRefusalDelay } from '../edge.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const bucket = { key: 'public:203.0.113.7', limit: 100 };

test('the first hundred refusals of a bucket in a minute are sent at once, each further one two seconds later', async () => {
  const delayRefusal = createRefusalDelay();
  for (let count = 0; count < 100; count += 1) expect(delayRefusal(bucket)).toBeUndefined();
  const sent: string[] = [];
  const held = delayRefusal(bucket)?.then(() => sent.push('held'));
  expect(delayRefusal({ ...bucket, key: 'public:203.0.113.8' })).toBeUndefined();
  await jest.advanceTimersByTimeAsync(1_990);
  expect(sent).toEqual([]);
  await jest.advanceTimersByTimeAsync(20);
  await held;
  expect(sent).toEqual(['held']);
});
