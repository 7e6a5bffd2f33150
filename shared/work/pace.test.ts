import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createPace } from './pace.js';

const never = 2 ** 30;

test('a pause where nothing waits ends as soon as it is woken', async () => {
  const pace = createPace(new AbortController().signal);
  const resting = pace.rest(0, never);
  pace.wake();
  await resting;
});

test('a wake-up between two pauses makes the next one short', async () => {
  const pace = createPace(new AbortController().signal);
  pace.wake();
  await pace.rest(0, never);
});

test('a wake-up counts once', async () => {
  const stopping = new AbortController();
  const pace = createPace(stopping.signal);
  pace.wake();
  await pace.rest(0, never);
  let isOver = false;
  const resting = pace.rest(0, never).then(() => (isOver = true));
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  expect(isOver).toBe(false);
  stopping.abort();
  await resting;
});

test('a pause ends when its loop is stopped, and so does one that begins afterwards', async () => {
  const stopping = new AbortController();
  const pace = createPace(stopping.signal);
  const resting = pace.rest(never, never);
  stopping.abort();
  await resting;
  await pace.rest(never, never);
});
