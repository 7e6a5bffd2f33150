import type { Clock } from '../../../shared/kernel/clock.js';
import { sameWindowMs, windowMs, type Counter } from './limiter.js';

interface Window {
  used: number;
  readonly endsAt: number;
}

/** Expired windows are removed at this interval, not at each request: removing entries from the front of a map makes iteration slow to begin. */
const sweepMs = 1_000;
const capacity = 100_000;

/** Windows have one length, so the map's order is that of their ends: expired ones leave at its front; at `capacity` the next hundredth does. */
export function createMemoryCounter(clock: Clock): Counter & { readonly size: number } {
  const windows = new Map<string, Window>();
  let nextSweep = 0;
  const makeRoom = (now: number) => {
    const full = windows.size >= capacity;
    if (!full && now < nextSweep) return;
    nextSweep = now + sweepMs;
    const room = full ? Math.floor(capacity * 0.99) : capacity;
    for (const [key, window] of windows) {
      if (window.endsAt > now && windows.size <= room) return;
      windows.delete(key);
    }
  };
  return {
    get size() {
      return windows.size;
    },
    spend: (bucket, cost) => {
      const now = clock.now().getTime();
      const known = windows.get(bucket.key);
      const running = known !== undefined && isRunning(known, now) ? known : undefined;
      const used = running?.used ?? 0;
      const remainingMs = running === undefined ? windowMs : running.endsAt - now;
      if (used + cost > bucket.limit) return { used, remainingMs, allowed: false };
      if (running !== undefined) running.used += cost;
      else if (cost > 0) {
        windows.delete(bucket.key);
        makeRoom(now);
        windows.set(bucket.key, { used: cost, endsAt: now + windowMs });
      }
      return { used: used + cost, remainingMs, allowed: true };
    },
    correct: (bucket, points, expectedMs) => {
      const window = windows.get(bucket.key);
      const remainingMs = (window?.endsAt ?? 0) - clock.now().getTime();
      if (window === undefined || remainingMs <= 0 || Math.abs(remainingMs - expectedMs) > sameWindowMs)
        return undefined;
      window.used = Math.max(0, window.used + points);
      return { used: window.used, remainingMs, allowed: true };
    },
  };
}

/** Whether a window has not ended. One that ends later than a window can is from before the clock stepped back, as at a failover of the database: it has ended. */
function isRunning({ endsAt }: Window, now: number): boolean {
  return endsAt > now && endsAt <= now + windowMs;
}
