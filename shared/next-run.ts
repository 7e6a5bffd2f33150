import { setTimeout as sleep } from 'node:timers/promises';
import { atMost } from './at-most.js';

/** The next run waits no longer than this for the one that is under way. */
const patienceMs = 1_000;

/**
 * Runs of one key take a fifth of the time at most, since a pause of four times its length follows each: the busier the process, the more callers share one. A
 * run that ends at once is followed by the shortest pause, within which few calls would come otherwise, and no pause lasts longer than the longest.
 */
const pause = { ofRun: 4, shortestMs: 2, longestMs: 50 };

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
    const begun = performance.now();
    const own = work();
    const running = own
      .catch(() => undefined)
      .then(() =>
        sleep(Math.min(pause.longestMs, Math.max(pause.shortestMs, pause.ofRun * (performance.now() - begun)))),
      );
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
