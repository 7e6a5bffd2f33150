import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createRefusals } from './refusals.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const heldAtOnce = 2_000;

function hold(count: number) {
  const sent: number[] = [];
  const refuse = createRefusals();
  for (let index = 0; index < count; index += 1) refuse(() => sent.push(index));
  return { sent, refuse };
}

test('a refusal is sent one second after its request was shed, in the order in which they were', () => {
  const { sent } = hold(3);
  jest.advanceTimersByTime(999);
  expect(sent).toEqual([]);
  jest.advanceTimersByTime(2);
  expect(sent).toEqual([0, 1, 2]);
});

test('no more than thirty-two are sent in one turn of the event loop', () => {
  const { sent } = hold(70);
  const lengths: number[] = [];
  jest.advanceTimersByTime(999);
  while (sent.length < 70) {
    jest.advanceTimersToNextTimer();
    lengths.push(sent.length);
  }
  expect(lengths).toEqual([32, 64, 70]);
});

test('beyond two thousand they are sent at once, until some of those were sent', () => {
  const { sent, refuse } = hold(heldAtOnce + 2);
  expect(sent).toEqual([heldAtOnce, heldAtOnce + 1]);
  jest.runAllTimers();
  expect(sent).toHaveLength(heldAtOnce + 2);
  let late = false;
  refuse(() => (late = true));
  expect(late).toBe(false);
  jest.runAllTimers();
  expect(late).toBe(true);
});
