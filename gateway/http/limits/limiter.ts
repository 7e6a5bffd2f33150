import type { Clock } from '../../../shared/kernel/clock.js';
import { ApiError } from '../../../shared/kernel/errors.js';

export interface Bucket {
  /** Names the bucket and its owner, such as `accounts:203.0.113.7`. */
  readonly key: string;
  readonly limit: number;
}

export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds, rounded up. */
  readonly resetsAt: number;
  /** Whole seconds until the window ends; at least 1. */
  readonly waitSeconds: number;
  readonly allowed: boolean;
}

/** Points that are spent in the current window. A refused request spends nothing. */
export interface Spent {
  readonly used: number;
  readonly remainingMs: number;
  readonly allowed: boolean;
}

/** Counts windows. `cost` 0 only reads. */
export interface Counter {
  spend(bucket: Bucket, cost: number): Spent | Promise<Spent>;
  /** Adds points, or takes back negative ones, without regard to the limit, never below zero. Undefined where the window is no longer counted. */
  correct(bucket: Bucket, points: number, remainingMs: number): Spent | undefined | Promise<Spent | undefined>;
}

/** Two windows of one bucket end at least a minute apart; the ends that two clocks compute for one window differ by less than this. */
export const sameWindowMs = 2_000;

export interface Limiter {
  /** Spends `cost` points (1 by default; 0 only reads). Exactly `limit` points can be spent in a window, however many requests are concurrent. */
  take(bucket: Bucket, cost?: number): Promise<Standing>;
  /** Adds or gives back points of an earlier window, left or not. Returns the earlier standing where it can no longer be corrected. */
  correct(bucket: Bucket, points: number, earlier: Standing): Promise<Standing>;
}

/** Length of the fixed windows: every documented limit is per minute. */
export const windowMs = 60_000;

/** Returns the error for a bucket without points left; undefined while there are some. */
export function excess({ allowed, waitSeconds }: Standing): ApiError | undefined {
  if (allowed) return undefined;
  const message = `Too Many Requests: wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}`;
  return new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds: waitSeconds });
}

/** @throws {ApiError} TOO_MANY_REQUESTS when the request is not allowed. */
export function demand(standing: Standing): void {
  const error = excess(standing);
  if (error !== undefined) throw error;
}

export function createLimiter(counter: Counter, clock: Clock): Limiter {
  const standingOf = ({ limit }: Bucket, { used, remainingMs, allowed }: Spent): Standing => ({
    limit,
    remaining: Math.max(0, limit - used),
    resetsAt: Math.ceil((clock.now().getTime() + remainingMs) / 1000),
    waitSeconds: Math.max(1, Math.ceil(remainingMs / 1000)),
    allowed,
  });
  return {
    take: async (bucket, cost = 1) => standingOf(bucket, await counter.spend(bucket, cost)),
    correct: async (bucket, points, earlier) => {
      const remainingMs = earlier.resetsAt * 1000 - clock.now().getTime();
      const spent = remainingMs > 0 ? await counter.correct(bucket, points, remainingMs) : undefined;
      return spent === undefined ? earlier : standingOf(bucket, spent);
    },
  };
}

interface Window {
  used: number;
  readonly endsAt: number;
}

/** Expired windows are removed at this interval, not at each request: removing entries from the front of a map makes iteration slow to begin. */
const sweepMs = 1_000;
const capacity = 100_000;

/** Windows have one length, so the map is ordered by their ends: expired ones leave at its front; at `capacity` the next hundredth does. */
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
