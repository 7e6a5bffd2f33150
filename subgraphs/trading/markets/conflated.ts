import { setImmediate } from 'node:timers';

/** Collects what changed, and hands each on once in the next turn of the event loop, however often it changed. */
export function conflated<T>(tell: (changed: readonly T[]) => void): (changed: T) => void {
  let waiting = new Set<T>();
  const flush = () => {
    const all = [...waiting];
    waiting = new Set();
    tell(all);
  };
  return (changed) => {
    if (waiting.size === 0) setImmediate(flush);
    waiting.add(changed);
  };
}
