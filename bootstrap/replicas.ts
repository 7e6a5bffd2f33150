import type { Metric } from 'prom-client';
import type { Config } from '../shared/config.js';
import type { Context } from '../shared/context.js';
import type { KeyRing } from '../shared/crypto.js';
import type { Database } from '../shared/database/database.js';
import type { Logger } from '../shared/log.js';
import type { RedisConnection } from '../shared/redis.js';
import { createOwnWrites } from '../shared/replicas/own-writes.js';
import { createPublishedReads } from '../shared/replicas/published-reads.js';
import { createReadAfterTokens, type ReadAfterTokens } from '../shared/replicas/read-after.js';
import { createMemoryWriters, createRedisWriters } from '../shared/replicas/recent-writers.js';
import { metricsOf, openReplicas, type Replicas } from '../shared/replicas/replicas.js';
import { migrations } from './migrations.js';

export interface ReplicaParts {
  readonly config: Pick<Config, 'database' | 'role'>;
  readonly databaseUrl: string;
  readonly dataSource: Database;
  readonly keyRing: KeyRing;
  readonly log: Logger;
  readonly redis: RedisConnection | undefined;
}

/** What a process with replicas gives to its requests. */
export interface ReplicaReads extends Required<Pick<Context, 'published' | 'writes'>> {
  readonly readAfterTokens: ReadAfterTokens;
  readonly metrics: readonly Metric[];
  close(): Promise<void>;
}

/** For a gateway, which notes what its callers write and reads nothing that is published itself. */
const none: Replicas = { pick: () => undefined, metrics: metricsOf([]), close: () => Promise.resolve() };

/** Opens the replicas of `DATABASE_REPLICA_URLS`; undefined where there are none, and for parts that serve no callers. */
export async function openReplicaReads(parts: ReplicaParts): Promise<ReplicaReads | undefined> {
  const { config, databaseUrl, dataSource, keyRing, log, redis } = parts;
  const { replicaUrls, replicaMaxLagMs, poolSize, statementTimeoutMs } = config.database;
  const serves = config.role === 'all' || config.role === 'gateway' || config.role.startsWith('subgraph:');
  if (replicaUrls.length === 0 || !serves) return undefined;
  const replicas =
    config.role === 'gateway'
      ? none
      : await openReplicas({
          primaryUrl: databaseUrl,
          urls: replicaUrls,
          primary: dataSource.manager,
          maxLagMs: replicaMaxLagMs,
          poolSize,
          statementTimeoutMs,
          applicationName: `lastro-${config.role}`,
          migrations,
          log,
        });
  const own = createMemoryWriters(replicaMaxLagMs);
  const writers = redis === undefined ? own : createRedisWriters(redis, own, replicaMaxLagMs, log);
  const readAfterTokens = createReadAfterTokens(keyRing);
  return {
    published: createPublishedReads({ replicas, writers }),
    writes: createOwnWrites(readAfterTokens, writers),
    readAfterTokens,
    metrics: replicas.metrics,
    close: () => replicas.close(),
  };
}
