import { setImmediate as turnEnds } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createAdmission, type AdmissionBounds, type Leave } from './admission.js';

const roomy: AdmissionBounds = { maxInFlight: 1_000, maxWaiting: 1_000, maxWaitMs: 600_000 };
/** Numbers of requests that begin, and that are shed, in one turn of the event loop. */
const begunInOneTurn = 8;
const shedInOneTurn = 32;

/** Creates an admission, and records the outcomes of its requests, by their names, in order. */
function watch(bounds: Partial<AdmissionBounds>) {
  const admission = createAdmission({ ...roomy, ...bounds });
  const begun: string[] = [];
  const shed: string[] = [];
  const leaves = new Map<string, Leave>();
  const enter = (network: string, ...names: string[]) => {
    for (const name of names)
      admission.enter(
        network,
        (leave) => {
          begun.push(name);
          leaves.set(name, leave);
        },
        () => shed.push(name),
      );
  };
  const leave = (...names: string[]) => {
    for (const name of names) leaves.get(name)?.();
  };
  return { admission, begun, shed, enter, leave };
}

const named = (prefix: string, size: number) => Array.from({ length: size }, (_, index) => `${prefix}${index}`);

async function turns(number: number): Promise<void> {
  for (let turn = 0; turn < number; turn += 1) await turnEnds();
}

describe('places', () => {
  test('one beyond the places waits until another request leaves', async () => {
    const { admission, begun, enter, leave } = watch({ maxInFlight: 1 });
    enter('a', 'a1');
    enter('b', 'b1', 'b2');
    await turns(3);
    expect(begun).toEqual(['a1']);
    expect(admission.count).toEqual({ inFlight: 1, waiting: 2, shed: 0 });
    leave('a1');
    await turns(3);
    expect(begun).toEqual(['a1', 'b1']);
    expect(admission.count).toEqual({ inFlight: 1, waiting: 1, shed: 0 });
  });

  test('a place is given back once, however often the request says that it leaves', async () => {
    const { admission, begun, enter, leave } = watch({ maxInFlight: 2 });
    enter('a', 'a1');
    enter('b', 'b1', 'b2', 'b3');
    leave('a1', 'a1', 'a1');
    expect(admission.count.inFlight).toBe(1);
    await turns(3);
    expect(begun).toEqual(['a1', 'b1']);
    leave('b1', 'b1', 'b1');
    await turns(3);
    expect(begun).toEqual(['a1', 'b1', 'b2']);
  });

  test('a request that leaves as soon as it begins frees the place for the next one', async () => {
    const admission = createAdmission({ ...roomy, maxInFlight: 1 });
    const begun: number[] = [];
    const never = () => {
      throw new Error('shed');
    };
    for (const number of [1, 2, 3])
      admission.enter(
        'a',
        (leave) => {
          begun.push(number);
          leave();
        },
        never,
      );
    await turns(1);
    expect(begun).toEqual([1, 2, 3]);
    expect(admission.count).toEqual({ inFlight: 0, waiting: 0, shed: 0 });
  });
});

describe('networks', () => {
  test('one network holds three quarters of the places, so that another one finds a place at once', async () => {
    const { begun, enter, leave } = watch({ maxInFlight: 4 });
    enter('a', 'a1', 'a2', 'a3', 'a4', 'a5');
    await turns(2);
    expect(begun).toEqual(['a1', 'a2', 'a3']);
    enter('b', 'b1');
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
    leave('b1');
    await turns(2);
    expect(begun).toHaveLength(4);
    leave('a2');
    await turns(2);
    expect(begun.slice(4)).toEqual(['a4']);
  });

  test('networks take turns, one request each, those of one network in the order they came', async () => {
    const { begun, enter, leave } = watch({ maxInFlight: 1 });
    enter('z', 'z1');
    enter('a', 'a1', 'a2', 'a3');
    enter('b', 'b1', 'b2');
    enter('c', 'c1');
    for (const name of ['z1', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
      leave(name);
      await turns(2);
    }
    expect(begun).toEqual(['z1', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });
});

test('a network that is new does not overtake one that waits', async () => {
  const { begun, enter, leave } = watch({ maxInFlight: 1 });
  enter('z', 'z1');
  enter('a', 'a1');
  leave('z1');
  enter('b', 'b1');
  await turns(1);
  expect(begun).toEqual(['z1', 'a1']);
});

describe('turns of the event loop', () => {
  test('eight requests begin in one turn, the others in the next ones, though there is a place for all', async () => {
    const { admission, begun, enter } = watch({});
    enter('a', ...named('a', 20));
    expect(begun).toEqual(named('a', begunInOneTurn));
    expect(admission.count).toEqual({ inFlight: 8, waiting: 12, shed: 0 });
    await turns(1);
    expect(begun).toEqual(named('a', 2 * begunInOneTurn));
    await turns(1);
    expect(begun).toEqual(named('a', 20));
  });
});

describe('shedding', () => {
  test('beyond the number that may wait the newest of the network with the most of them is shed', async () => {
    const { admission, begun, shed, enter } = watch({ maxInFlight: 1, maxWaiting: 4 });
    enter('z', 'z1');
    enter('b', 'b1');
    enter('a', 'a1', 'a2', 'a3');
    enter('c', 'c1', 'c2');
    await turns(2);
    expect(shed).toEqual(['a3', expect.stringMatching(/^[ac]2$/)]);
    expect(begun).toEqual(['z1']);
    expect(admission.count).toEqual({ inFlight: 1, waiting: 4, shed: 2 });
  });

  test('no more than thirty-two are shed in one turn', async () => {
    const { admission, shed, enter } = watch({ maxInFlight: 1, maxWaiting: 70 });
    enter('a', ...named('a', 141));
    expect(shed).toEqual([]);
    await turns(1);
    expect(shed).toHaveLength(shedInOneTurn);
    await turns(1);
    expect(shed).toHaveLength(2 * shedInOneTurn);
    await turns(1);
    expect(admission.count).toEqual({ inFlight: 1, waiting: 70, shed: 70 });
  });

  test('beyond twice the number that may wait one is shed at once, without a turn', () => {
    const { admission, shed, enter } = watch({ maxInFlight: 1, maxWaiting: 2 });
    enter('a', ...named('a', 5));
    expect(shed).toEqual([]);
    enter('b', 'b1');
    expect(shed).toEqual(['a4']);
    expect(admission.count).toEqual({ inFlight: 1, waiting: 4, shed: 1 });
  });
});

test('a place that is asked for is refused with UNAVAILABLE where there is none, and given once there is', async () => {
  const { place } = createAdmission({ ...roomy, maxInFlight: 1, maxWaiting: 0 });
  const leave = await place('a');
  await expect(place('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  leave();
  await place('a');
});

describe('waiting', () => {
  // Only the clock is fake: turns of the event loop are real.
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const bounds = { maxInFlight: 1, maxWaitMs: 500 };
  const pass = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    await turns(1);
  };

  test('longer than a request may, it is shed; one that came later goes on waiting', async () => {
    const { admission, shed, enter } = watch(bounds);
    enter('first', 'first');
    enter('early', 'early');
    await pass(300);
    enter('late', 'late');
    await pass(199);
    expect(shed).toEqual([]);
    await pass(30);
    expect(shed).toEqual(['early']);
    await pass(300);
    expect(shed).toEqual(['early', 'late']);
    expect(admission.count).toEqual({ inFlight: 1, waiting: 0, shed: 2 });
  });

  test('too long, thirty-two are shed in a turn, of all networks; they do not begin later, and their networks begin like any other', async () => {
    const { admission, begun, shed, enter, leave } = watch(bounds);
    enter('first', 'first');
    for (let index = 0; index < 70; index += 1) enter(index % 2 === 0 ? 'even' : 'odd', `a${index}`);
    jest.advanceTimersByTime(520);
    expect(shed).toHaveLength(shedInOneTurn);
    await turns(2);
    expect(admission.count).toEqual({ inFlight: 1, waiting: 0, shed: 70 });
    leave('first');
    enter('even', 'again');
    await pass(600);
    expect(begun).toEqual(['first', 'again']);
    expect(shed).toHaveLength(70);
  });
});
