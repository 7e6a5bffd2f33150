/** A run that has taken longer than this is shared with nobody else: its source may never respond. */
const patienceMs = 1_000;

interface Run<T> {
  readonly result: Promise<T>;
  readonly begun: number;
  hasEnded: boolean;
}

/**
 * Returns a function that runs work by key. Whoever calls while a run is under way, or within `keptMs` of its beginning, shares it. A value may thus have been
 * read before it was asked for: by that time or, where it is longer, by the time that its run took, and never by more than a second. A failed run fails for
 * the caller whose work it was; the others run their own. Work of one key must do the same for every caller.
 */
export function recentRuns<T>(keptMs: number): (key: string, work: () => Promise<T>) => Promise<T> {
  const runs = new Map<string, Run<T>>();

  const start = (key: string, work: () => Promise<T>): Promise<T> => {
    const run: Run<T> = { result: work(), begun: performance.now(), hasEnded: false };
    runs.set(key, run);
    const forget = (): void => {
      if (runs.get(key) === run) runs.delete(key);
    };
    run.result.then(() => {
      run.hasEnded = true;
      setTimeout(forget, keptMs - (performance.now() - run.begun)).unref();
    }, forget);
    return run.result;
  };

  return (key, work) => {
    const run = runs.get(key);
    const age = run === undefined ? Infinity : performance.now() - run.begun;
    if (run === undefined || age >= (run.hasEnded ? keptMs : patienceMs)) return start(key, work);
    return run.result.catch(work);
  };
}
