import { setImmediate } from 'node:timers';

const waiting: (() => void)[] = [];

/** Waits until other ready work was served. Each round runs one slice of all long work, so ten requests block no longer than one. */
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

/** The longest slice of work before it yields. */
const sliceMs = 2;
/** Items between two checks of the time. */
const itemsBetweenLooks = 32;

export interface Slicer {
  isOver(): boolean;
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

/** Lists of at least this length are processed in slices. */
const longListItems = 1_000;

export function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length >= longListItems;
}

/** Calls `act` for each item in order, in slices of a few milliseconds, and yields to other work between them. */
export async function eachInTurns<T>(items: readonly T[], act: (item: T, index: number) => void): Promise<void> {
  const slice = slicer();
  // The current turn may already have taken its time.
  if (isLongList(items)) await slice.next();
  for (const [index, item] of items.entries()) {
    if (index % itemsBetweenLooks === 0 && slice.isOver()) await slice.next();
    act(item, index);
  }
}

/** Resolves when `work` has settled, or after a time: its source may never respond. */
export function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });
}

/** Repeats a step until it handles fewer than `batch` items. @param stopping ends it after the current step @returns how many all steps handled */
export async function untilFew(batch: number, step: () => Promise<number>, stopping?: AbortSignal): Promise<number> {
  let total = 0;
  while (stopping?.aborted !== true) {
    const handled = await step();
    total += handled;
    if (handled < batch) break;
  }
  return total;
}
