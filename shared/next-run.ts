import { setTimeout as sleep } from 'node:timers/promises';
import { atMost } from './at-most.js';

/** The next run waits no longer than this for the one that is under way. */
const patienceMs = 1_000;

/** A run begins at the earliest this long after the one before it: on a busy process few calls would come within a run that ends at once. */
const apartMs = 2;

/** Runs under a key: the one that is under way, and the one that follows it. */
interface Line<T> {
  running: Promise<unknown>;
  next: Promise<T> | undefined;
}

/**
 * Returns a function that runs work by key, one run at a time: whoever calls while a run is under way shares the next one with all who do. Nothing is kept,
 * so a value was always read after it was asked for. A failed run fails for the caller whose work it was; the others run their own. Work of one key must do
 * the same for every caller.
 */
export function nextRuns<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, Line<T>>();

  const run = (key: string, line: Line<T>, work: () => Promise<T>): Promise<T> => {
    const own = work();
    const running = Promise.all([own.catch(() => undefined), sleep(apartMs)]);
    line.running = running;
    void running.then(() => {
      if (line.running === running && line.next === undefined) lines.delete(key);
    });
    return own;
  };

  return (key, work) => {
    const line = lines.get(key);
    if (line === undefined) {
      const first: Line<T> = { running: Promise.resolve(), next: undefined };
      lines.set(key, first);
      return run(key, first, work);
    }
    if (line.next !== undefined) return line.next.catch(work);
    const next = atMost(patienceMs, line.running).then(() => {
      line.next = undefined;
      return run(key, line, work);
    });
    line.next = next;
    return next;
  };
}
