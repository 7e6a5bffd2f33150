import { Redis } from 'ioredis';
import type { Logger } from './log.js';

export interface RedisConnectionOptions {
  /** What the connection is for: shown by Redis' `CLIENT LIST`, and in the log. */
  readonly name: string;
  /** How long a server may be silent that owes a reply before the connection is dropped and opened anew. */
  readonly silenceMs: number;
}

/**
 * Opens a connection to Redis that comes back by itself. Nothing is ever queued for a Redis that is away: commands fail at once,
 * so that callers do without. A server that is connected and silent counts as away too, and what it owes is given up with
 * the connection; so what is outstanding is bounded by `silenceMs`.
 */
export function openRedis(url: string, log: Logger, { name, silenceMs }: RedisConnectionOptions): Redis {
  const redis = new Redis(url, {
    connectionName: `lastro-${name}`,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    connectTimeout: 5_000,
    socketTimeout: silenceMs,
    retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times, 5), 3_000),
  });
  let told = false;
  redis.on('error', (error: Error) => {
    if (!told) log.warn({ err: error, connection: name }, 'Redis is away; the program goes on without it');
    told = true;
  });
  redis.on('ready', () => {
    if (told) log.info({ connection: name }, 'Redis is back');
    told = false;
  });
  return redis;
}

/** Rejects when `work` takes longer than `patienceMs`; its later result or error is ignored. */
export function withinPatience<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`Redis did not reply within ${patienceMs} ms`));
    }, patienceMs);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
