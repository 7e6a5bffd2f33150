import type { Clock } from '../../shared/clock.js';
import { ApiError } from '../../shared/errors.js';

/** What one source or credential may spend in a window. */
export interface Bucket {
  /** Names the bucket and its owner, as `accounts:203.0.113.7`. */
  readonly key: string;
  /** Points in a window of `windowMs`. */
  readonly limit: number;
}

/** How an owner stands in a bucket after a request. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds, rounded up. */
  readonly resetsAt: number;
  /** Whole seconds until the window ends; at least 1. */
  readonly waitSeconds: number;
  readonly allowed: boolean;
}

/** A count of points in the window under way. A request that is refused spends nothing. */
export interface Spent {
  readonly used: number;
  readonly remainingMs: number;
  readonly allowed: boolean;
}

/** Where windows are counted. `cost` 0 only looks. */
export interface Counter {
  spend(bucket: Bucket, cost: number): Spent | Promise<Spent>;
}

export interface Limiter {
  /** Spends `cost` points (1 when not given; 0 only looks); exactly `limit` points pass in a window, however many ask at once. */
  take(bucket: Bucket, cost?: number): Promise<Standing>;
}

/** Fixed windows of a minute: every documented limit is per minute. */
export const windowMs = 60_000;

/** What a caller hears who has spent all; undefined for one who has not. */
export function excess({ allowed, waitSeconds }: Standing): ApiError | undefined {
  if (allowed) return undefined;
  const message = `Too Many Requests: wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}`;
  return new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds: waitSeconds });
}

/** @throws {ApiError} TOO_MANY_REQUESTS when the standing says so. */
export function demand(standing: Standing): void {
  const fault = excess(standing);
  if (fault !== undefined) throw fault;
}

/** A minute's window begins with the first request, so a caller's `X-RateLimit-Reset` does not move under it. */
export function createLimiter(counter: Counter, clock: Clock): Limiter {
  return {
    take: async (bucket, cost = 1) => {
      const { used, remainingMs, allowed } = await counter.spend(bucket, cost);
      return {
        limit: bucket.limit,
        remaining: Math.max(0, bucket.limit - used),
        resetsAt: Math.ceil((clock.now().getTime() + remainingMs) / 1000),
        waitSeconds: Math.max(1, Math.ceil(remainingMs / 1000)),
        allowed,
      };
    },
  };
}
