import { afterEach, expect, jest, test } from '@jest/globals';
import { until } from './until.js';

afterEach(() => {
  jest.useRealTimers();
});

const away = () => Promise.reject(new Error('HTTP 503'));
const wrong = () => {
  expect([1]).toEqual([2]);
  return true;
};

test('what the probe gives is returned as soon as it is truthy, whatever it gave or threw before, under fake timers too', async () => {
  jest.useFakeTimers();
  const answers = [() => 0, away, wrong, () => ({ id: 7 })];
  expect(await until('the answer', () => answers.shift()?.())).toEqual({ id: 7 });
  expect(answers).toEqual([]);
});

test.each<[string, () => unknown, RegExp]>([
  ['gave', () => null, /^Waited 50 ms for the delivery of event 2; seen last: null$/],
  ['threw', away, /^Waited 50 ms for the delivery of event 2; seen last: HTTP 503$/],
  ['asserted', wrong, /seen last: [^]*Received/],
  ['never gave', () => new Promise(() => undefined), /seen last: no answer$/],
])('when the time is over, the error says what was waited for and what the probe %s', async (_, probe, message) => {
  jest.useFakeTimers();
  await expect(until('the delivery of event 2', probe, { within: 50 })).rejects.toThrow(message);
});
