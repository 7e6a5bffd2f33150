import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createRefusals } from './refusals.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const heldAtOnce = 4_000;

function hold(count: number) {
  const sent: number[] = [];
  const refuse = createRefusals();
  for (let index = 0; index < count; index += 1) refuse(() => sent.push(index));
  return { sent, refuse };
}

test('a refusal is sent two seconds after its request was shed, in the order in which they were', () => {
  const { sent } = hold(3);
  jest.advanceTimersByTime(1_999);
  expect(sent).toEqual([]);
  jest.advanceTimersByTime(3);
  expect(sent).toEqual([0, 1, 2]);
});

test('those that were shed together are sent two thousand a second, so that they do not come again together', () => {
  const { sent } = hold(1_000);
  jest.advanceTimersByTime(2_100);
  expect(sent.length).toBeGreaterThan(150);
  expect(sent.length).toBeLessThanOrEqual(201);
  jest.advanceTimersByTime(402);
  expect(sent).toHaveLength(1_000);
});

test('no more than thirty-two are sent in one turn of the event loop', () => {
  const { sent } = hold(70);
  // The event loop was blocked meanwhile: all of them are due.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000);
  const lengths: number[] = [];
  while (sent.length < 70) {
    jest.advanceTimersToNextTimer();
    if (sent.length !== lengths.at(-1)) lengths.push(sent.length);
  }
  expect(lengths).toEqual([32, 64, 70]);
});

test('beyond four thousand they are sent at once, until some of those were sent', () => {
  const { sent, refuse } = hold(heldAtOnce + 2);
  expect(sent).toEqual([heldAtOnce, heldAtOnce + 1]);
  jest.advanceTimersByTime(10_000);
  expect(sent).toHaveLength(heldAtOnce + 2);
  let late = false;
  refuse(() => (late = true));
  expect(late).toBe(false);
  jest.advanceTimersByTime(10_000);
  expect(late).toBe(true);
});

test('one whose client has gone is not sent, and what it refers to is released at once', () => {
  const sent: string[] = [];
  const refuse = createRefusals();
  const drop = refuse(() => sent.push('gone'));
  refuse(() => sent.push('here'));
  drop();
  jest.advanceTimersByTime(10_000);
  drop();
  expect(sent).toEqual(['here']);
});
