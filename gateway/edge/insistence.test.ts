import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { slowInsistence } from './insistence.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const bucket = { key: 'public:203.0.113.7', limit: 100 };

test('the first hundred refusals of a bucket in a minute are sent at once, each further one a second later', async () => {
  const slowed = slowInsistence();
  for (let count = 0; count < 100; count += 1) expect(slowed(bucket)).toBeUndefined();
  const sent: string[] = [];
  const held = slowed(bucket)?.then(() => sent.push('held'));
  expect(slowed({ ...bucket, key: 'public:203.0.113.8' })).toBeUndefined();
  await jest.advanceTimersByTimeAsync(990);
  expect(sent).toEqual([]);
  await jest.advanceTimersByTimeAsync(20);
  await held;
  expect(sent).toEqual(['held']);
});
