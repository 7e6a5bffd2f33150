import { setImmediate } from 'node:timers';

/**
 * Waits until the event loop has served what else was ready. Of all long work in the process one slice runs in each round of
 * the loop, in the order in which they asked, so that ten long requests do not stop it ten times as long as one.
 */
export const nextTurn = turns(1);

/** The same for reading on from a connection: eight of them in each round, so that long bodies do not wait for long work. */
export const nextRead = turns(8);

function turns(perRound: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const round = () => {
    for (const go of waiting.splice(0, perRound)) go();
    if (waiting.length > 0) setImmediate(round);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(round);
    });
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
