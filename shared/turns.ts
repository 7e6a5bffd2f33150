import { setImmediate } from 'node:timers';

const waiting: (() => void)[] = [];

/**
 * Waits until the event loop has served what else was ready. Of all long work in the process one slice runs in each round of
 * the loop, in the order in which they asked, so that ten long requests do not stop it ten times as long as one.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(round);
  });
}

function round(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(round);
}

/** Reads of long bodies in each period, of 64 kB each: all of them together take 16 MB a second at most, whatever is sent. */
const readsInOnePeriod = 2;
const readPeriodMs = 8;

const readers: (() => void)[] = [];
let readsLeft = readsInOnePeriod;
let period: NodeJS.Timeout | undefined;

/** Waits until a long body may be read on: reading and hashing what comes in would leave little time for other requests. */
export function nextRead(): Promise<void> {
  return new Promise((resolve) => {
    readers.push(resolve);
    period ??= setInterval(nextPeriod, readPeriodMs).unref();
    if (readers.length === 1) setImmediate(letRead);
  });
}

function letRead(): void {
  const now = readers.splice(0, readsLeft);
  readsLeft -= now.length;
  for (const go of now) go();
}

function nextPeriod(): void {
  const isIdle = readsLeft === readsInOnePeriod && readers.length === 0;
  readsLeft = readsInOnePeriod;
  if (isIdle) {
    clearInterval(period);
    period = undefined;
  } else letRead();
}

/** The longest slice of work between two turns. */
const sliceMs = 2;
/** Items between two looks at the time. */
const itemsBetweenLooks = 32;

/** The slices of one long piece of work. */
export interface Slicer {
  /** Whether others are to have their turn now. */
  isOver(): boolean;
  /** Lets them, and begins the next slice. */
  next(): Promise<void>;
}

export function slicer(): Slicer {
  let begun = performance.now();
  return {
    isOver: () => performance.now() - begun > sliceMs,
    next: async () => {
      await nextTurn();
      begun = performance.now();
    },
  };
}

/** Lists from this length on are long: what is done with each item is done in turns. */
const longListItems = 1_000;

export function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length >= longListItems;
}

/** Calls `act` for each item in order, in slices of some milliseconds, between which others have their turn. */
export async function eachInTurns<T>(items: readonly T[], act: (item: T, index: number) => void): Promise<void> {
  const slice = slicer();
  // The turn under way may have taken its time already.
  if (isLongList(items)) await slice.next();
  for (const [index, item] of items.entries()) {
    if (index % itemsBetweenLooks === 0 && slice.isOver()) await slice.next();
    act(item, index);
  }
}
