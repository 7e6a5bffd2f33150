import { setTimeout } from 'node:timers';

/**
 * Collects what changed, and hands each on once at a time, however often it changed: at once, and then not before `everyMs` have passed.
 * The last change of each is always handed on.
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
