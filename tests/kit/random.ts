// What Math.random is for tests: each file has a sequence of its own, by FC_SEED where it is set. tests/runner/environment.mjs begins
// it, and prints its seed when a test of the file fails. A process that a test starts has one by its own seed.
interface Sequence {
  state: number;
  isUsed: boolean;
}

const place = Symbol.for('lastro.tests.random');
const own: Sequence = { state: Date.now() | 0, isUsed: false };

/** From 0 to below 1 (mulberry32). */
export function random(): number {
  const sequence = (Reflect.get(globalThis, place) as Sequence | undefined) ?? own;
  sequence.isUsed = true;
  sequence.state = (sequence.state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(sequence.state ^ (sequence.state >>> 15), 1 | sequence.state);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** A whole number from 0 to below `end`. */
export const randomInt = (end: number) => Math.floor(random() * end);
