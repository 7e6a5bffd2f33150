import { setTimeout } from 'node:timers';

/**
 * Collects changes, and delivers each changed item once per call, however often it changed: at once, and then every `everyMs` at most.
 * The last change of each item is always delivered.
 */
export function conflated<T>(everyMs: number, tell: (changed: readonly T[]) => void): (changed: T) => void {
  let waiting = new Set<T>();
  let toldAtMs = -Infinity;
  const flush = () => {
    const all = [...waiting];
    waiting = new Set();
    toldAtMs = performance.now();
    tell(all);
  };
  return (changed) => {
    if (waiting.size === 0) setTimeout(flush, toldAtMs + everyMs - performance.now()).unref();
    waiting.add(changed);
  };
}
