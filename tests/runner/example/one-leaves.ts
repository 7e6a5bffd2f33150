import { afterAll, expect, jest, test } from '@jest/globals';
import { random } from '../../kit/random.js';

jest.setTimeout(1_000);
process.env['LEFT_BEHIND'] = 'by the first file';
process.exitCode = 9;
jest.useFakeTimers();
jest.spyOn(performance, 'now').mockReturnValue(1);

test('that succeeds', () => {
  expect(performance.now()).toBe(1);
});

test('that differs', () => {
  expect({ cents: [1, 2 + random()] }).toEqual({ cents: [1, 3] });
});

test('without an end', () => new Promise(() => undefined));

test('with a promise that nobody awaits', async () => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  void Promise.reject(new Error('nobody awaits me'));
  await new Promise((resolve) => setTimeout(resolve, 20));
});

test('with an error that nobody catches', async () => {
  setTimeout(() => {
    throw new Error('nobody catches me');
  }, 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
});

afterAll(() => {
  jest.useFakeTimers();
  jest.spyOn(performance, 'now').mockReturnValue(1);
  throw new Error('the end fails');
});
