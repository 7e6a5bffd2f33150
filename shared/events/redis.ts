import { Cluster, Redis, type CommonRedisOptions } from 'ioredis';
import { Gauge } from 'prom-client';
import type { Logger } from '../kernel/log.js';
import { parseRedisAddress, type RedisAddress } from './redis-address.js';

export type RedisConnection = Redis | Cluster;

export interface RedisConnectionOptions {
  /** The purpose of the connection: shown by Redis' `CLIENT LIST` and in the log. */
  readonly name: string;
  /** How long a server that owes a reply may be silent before the connection is dropped and reopened. */
  readonly silenceMs: number;
}

/** Reconnects by itself, by sentinels to the present primary. Commands are never queued: they fail at once while Redis is away or silent for `silenceMs`. */
export function openRedis(url: string, log: Logger, { name, silenceMs }: RedisConnectionOptions): RedisConnection {
  const address = parseRedisAddress(url);
  if (address === undefined) throw new Error('REDIS_URL is not an address of Redis');
  const redis = connect(address, {
    connectionName: `lastro-${name}`,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    connectTimeout: 5_000,
    socketTimeout: silenceMs,
    // A primary that became a replica while the connection was open.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
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

/** Returns the metric of a process's connections to Redis; without any it has no value. */
export function redisConnected(connections: readonly RedisConnection[]): Gauge {
  return new Gauge({
    name: 'redis_connected',
    help: 'Whether every connection of the process to Redis can be used (1) or not (0); no value where there is no REDIS_URL.',
    registers: [],
    collect() {
      if (connections.length === 0) this.remove();
      else this.set(connections.every(({ status }) => status === 'ready') ? 1 : 0);
    },
  });
}

const pauseMs = (times: number): number => Math.min(100 * 2 ** Math.min(times, 5), 3_000);

function connect(address: RedisAddress, options: CommonRedisOptions): RedisConnection {
  const common = { ...options, enableOfflineQueue: false, retryStrategy: pauseMs };
  if (address.kind === 'single') return new Redis(address.url, common);
  const { nodes, user, db } = address;
  const tls = address.tls ? { tls: {} } : {};
  if (address.kind === 'cluster') {
    return new Cluster([...nodes], {
      redisOptions: { ...options, ...user, ...tls },
      enableOfflineQueue: false,
      clusterRetryStrategy: pauseMs,
      slotsRefreshInterval: 5_000,
    });
  }
  const { sentinelUser } = address;
  return new Redis({
    ...common,
    ...user,
    ...tls,
    db,
    sentinels: [...nodes],
    name: address.primary,
    ...(sentinelUser.username === undefined ? {} : { sentinelUsername: sentinelUser.username }),
    ...(sentinelUser.password === undefined ? {} : { sentinelPassword: sentinelUser.password }),
    ...(address.tls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    sentinelRetryStrategy: pauseMs,
    failoverDetector: true,
  });
}

/** Rejects when `work` takes longer than `patienceMs`; its later result or error is ignored. */
export function withinPatience<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Redis did not reply within ${patienceMs} ms`)), patienceMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
