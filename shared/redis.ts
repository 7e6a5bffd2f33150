import { Redis } from 'ioredis';
import type { Logger } from './log.js';

/**
 * A connection to Redis that comes back by itself. Commands fail at once while it is away, so that whoever can do
 * without falls back instead of waiting.
 */
export function openRedis(url: string, log: Logger, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: `lastro-${name}`,
    enableOfflineQueue: name === 'subscriber',
    maxRetriesPerRequest: name === 'subscriber' ? null : 1,
    connectTimeout: 5_000,
    // A server that is connected and silent counts as one that is away. A subscriber's commands wait for their answer.
    ...(name === 'subscriber' ? {} : { commandTimeout: 5_000 }),
    retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times, 5), 3_000),
  });
  let told = false;
  redis.on('error', (error: Error) => {
    if (!told) log.warn({ err: error, connection: name }, 'Redis is away; the house goes on without it');
    told = true;
  });
  redis.on('ready', () => {
    if (told) log.info({ connection: name }, 'Redis is back');
    told = false;
  });
  return redis;
}
