import { Redis } from 'ioredis';
import type { Logger } from './log.js';

export interface RedisConnectionOptions {
  /** The purpose of the connection: shown by Redis' `CLIENT LIST` and in the log. */
  readonly name: string;
  /** How long a server that owes a reply may be silent before the connection is dropped and reopened. */
  readonly silenceMs: number;
}

/**
 * Opens a connection to Redis that reconnects by itself. Commands are never queued while Redis is unavailable: they fail at once, so that callers go on
 * without it. A connected but silent server counts as unavailable too, and its pending replies are dropped with the connection; `silenceMs` therefore
 * bounds how long a reply can be pending.
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
  let reported = false;
  redis.on('error', (error: Error) => {
    if (!reported) log.warn({ err: error, connection: name }, 'Redis is unavailable; the program continues without it');
    reported = true;
  });
  redis.on('ready', () => {
    if (reported) log.info({ connection: name }, 'Redis is available again');
    reported = false;
  });
  return redis;
}

/** Rejects when `work` takes longer than `patienceMs`; its later result or error is ignored. */
export function withinPatience<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Redis did not reply within ${patienceMs} ms`)), patienceMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
