import { z } from 'zod';
import type { Logger } from '../../../shared/kernel/log.js';
import { withinPatience, type RedisConnection } from '../../../shared/events/redis.js';
import { sameWindowMs, windowMs, type Bucket, type Counter, type Spent } from './limiter.js';

/** One atomic step on the server, so that two instances cannot both take the last point. */
const script = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
local cost, limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if left < 0 then used, left = 0, window end
if used + cost > limit then return {used, left, 0} end
if cost > 0 and used == 0 then redis.call('SET', KEYS[1], cost, 'PX', left)
elseif cost > 0 then redis.call('INCRBY', KEYS[1], cost) end
return {used + cost, left, 1}`;

/** Corrects a window in one step, if it is still the one that is meant; its expiry stays. */
const correction = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
local points, expected, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if left <= 0 or math.abs(left - expected) > tolerance then return {0, 0, 0} end
used = math.max(0, used + points)
redis.call('SET', KEYS[1], used, 'PX', left)
return {used, left, 1}`;

const result = z.tuple([z.number(), z.number(), z.number()]);

/** Time that a request waits for Redis, and that all others then do without it; `openRedis` closes a silent connection before twice that. */
const patienceMs = 250;
const restMs = 1_000;
const refusalLogMs = 60_000;

/** Without Redis each instance counts on its own in `fallback`, in new windows. A command that Redis refuses counts there too; nobody waits for it. */
export function createRedisCounter(redis: RedisConnection, fallback: Counter, log: Logger): Counter {
  let restUntil = 0;
  let lost = false;
  const notice = (nowLost: boolean, cause?: unknown) => {
    if (lost === nowLost) return;
    lost = nowLost;
    if (lost) log.warn({ reason: String(cause) }, 'rate limits count in memory: Redis does not respond');
    else log.info('rate limits count in Redis again');
  };
  const ask = async (text: string, bucket: Bucket, values: readonly number[]): Promise<Spent> => {
    if (redis.status !== 'ready') throw new Error(`the connection is in state ${redis.status}`);
    const reply = await withinPatience(redis.eval(text, 1, `lastro:limit:${bucket.key}`, ...values), patienceMs);
    const [used, remainingMs, allowed] = result.parse(reply);
    return { used, remainingMs, allowed: allowed === 1 };
  };
  let nextRefusalLog = 0;
  const failed = (error: unknown) => {
    const now = performance.now();
    if (!isRefusal(error)) {
      restUntil = now + restMs;
      notice(true, error);
    } else if (now >= nextRefusalLog) {
      nextRefusalLog = now + refusalLogMs;
      log.warn({ reason: String(error) }, 'a rate limit counts in memory: Redis refused the command');
    }
  };
  return {
    spend: async (bucket, cost) => {
      if (performance.now() < restUntil) return fallback.spend(bucket, cost);
      try {
        const spent = await ask(script, bucket, [cost, bucket.limit, windowMs]);
        notice(false);
        return spent;
      } catch (error) {
        failed(error);
        return fallback.spend(bucket, cost);
      }
    },
    correct: async (bucket, points, expectedMs) => {
      if (performance.now() < restUntil) return fallback.correct(bucket, points, expectedMs);
      try {
        const spent = await ask(correction, bucket, [points, Math.round(expectedMs), sameWindowMs]);
        return spent.allowed ? spent : undefined;
      } catch (error) {
        failed(error);
        // After a refusal the charge was counted here, so correct it here; points that were spent in Redis cannot be given back elsewhere.
        return isRefusal(error) ? fallback.correct(bucket, points, expectedMs) : undefined;
      }
    },
  };
}

/** Whether Redis replied with an error, such as OOM, READONLY or WRONGTYPE. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}
