import { setImmediate as turnEnds } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createAdmission, type Leave } from './admission.js';

const shedInOneTurn = 32;

// Only the clock is fake: turns of the event loop are real.
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] });
});

afterEach(() => {
  jest.useRealTimers();
});

/** Creates an admission whose only place is taken, and records the outcome of the requests that wait for it. */
function watch() {
  const admission = createAdmission({ maxInFlight: 1, maxWaiting: 1_000, maxWaitMs: 500 });
  const begun: string[] = [];
  const shed: string[] = [];
  const leaves: Leave[] = [];
  const enter = (name: string, network = name) => {
    const go = (leave: Leave) => {
      begun.push(name);
      leaves.push(leave);
    };
    admission.enter(network, go, () => shed.push(name));
  };
  enter('first');
  return { admission, begun, shed, enter, leave: () => leaves.pop()?.() };
}

async function pass(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await turnEnds();
}

test('a request that waits longer than it may is shed; one that came later goes on waiting', async () => {
  const { admission, shed, enter } = watch();
  enter('early');
  await pass(300);
  enter('late');
  await pass(199);
  expect(shed).toEqual([]);
  await pass(30);
  expect(shed).toEqual(['early']);
  expect(admission.count).toEqual({ inFlight: 1, waiting: 1, shed: 1 });
  await pass(300);
  expect(shed).toEqual(['early', 'late']);
  expect(admission.count).toEqual({ inFlight: 1, waiting: 0, shed: 2 });
});

test('what was shed does not begin later, and what began is not shed', async () => {
  const { admission, begun, shed, enter, leave } = watch();
  enter('waits too long');
  await pass(600);
  enter('has its turn');
  leave();
  await pass(0);
  await pass(600);
  expect(begun).toEqual(['first', 'has its turn']);
  expect(shed).toEqual(['waits too long']);
  expect(admission.count).toEqual({ inFlight: 1, waiting: 0, shed: 1 });
});

test('those who waited too long are shed thirty-two in a turn, of all networks, and later ones as well', async () => {
  const { admission, shed, enter } = watch();
  for (let index = 0; index < 70; index += 1) enter(`a${index}`, index % 2 === 0 ? 'even' : 'odd');
  jest.advanceTimersByTime(520);
  expect(shed).toHaveLength(shedInOneTurn);
  await turnEnds();
  expect(shed).toHaveLength(2 * shedInOneTurn);
  await turnEnds();
  expect(admission.count).toEqual({ inFlight: 1, waiting: 0, shed: 70 });
  enter('later');
  await pass(600);
  expect(shed.at(-1)).toBe('later');
});

test('a network whose requests were all shed begins like any other', async () => {
  const { begun, enter, leave } = watch();
  enter('gone', 'network');
  await pass(600);
  leave();
  enter('comes again', 'network');
  await pass(0);
  expect(begun).toEqual(['first', 'comes again']);
});
