import { Registry } from 'prom-client';
import { createRedisCounter } from '../gateway/http/limits/limiter-redis.js';
import { createLimiter, type Limiter, createMemoryCounter } from '../gateway/http/limits/limiter.js';
import { openAuditTrail, type AuditTrail } from '../shared/security/audit/trail.js';
import { createRedisBus } from '../shared/events/bus-redis.js';
import { createLocalBus, type Bus } from '../shared/events/bus.js';
import type { Clock } from '../shared/kernel/clock.js';
import type { Config } from '../shared/kernel/config.js';
import { createContext, type Context } from '../shared/kernel/context.js';
import type { KeyRing } from '../shared/security/crypto.js';
import { openDatabaseClock } from '../shared/database/clock.js';
import { openDatabase, type Database } from '../shared/database/database.js';
import {
  openStore,
  prepareDatabase,
  requireMigrated,
  untilMigrated,
  warnOfExcess,
  type Store,
} from '../shared/database/store.js';
import { droppedLines, type Logger } from '../shared/kernel/log.js';
import { openKeyRing } from '../shared/security/master-key.js';
import { openRedis, redisConnected } from '../shared/events/redis.js';
import { openReplicas, type Replicas } from '../shared/database/replicas/replicas.js';
import type { Tracer } from '../shared/kernel/tracing/span.js';
import { accountsEntities } from '../subgraphs/accounts/rows.js';
import { closeAll } from './close-all.js';
import { migrations } from './migrations.js';
import { unavailability } from '../shared/database/unavailable.js';

/** Infrastructure that every module of a process uses: opened first, closed last. */
export interface Infrastructure {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly dataSource: Database;
  /** Undefined where published data is read from the primary. */
  readonly replicas: Replicas | undefined;
  readonly databaseUrl: string;
  /** Returns why the database cannot be written to; undefined while it can. */
  readonly writingError: () => Promise<string | undefined>;
  readonly bus: Bus;
  /** Counts the requests of callers in this process or, with `REDIS_URL`, in all processes. */
  readonly limiter: Limiter;
  /** Writes audit log entries that belong to no transaction. */
  readonly audit: AuditTrail;
  readonly registry: Registry;
  readonly tracer: Tracer | undefined;
  readonly context: Context;
  /** Resolves with the reason when the infrastructure fails while the program runs. */
  readonly failed: Promise<string>;
  close(): Promise<void>;
}

export interface InfrastructureOptions {
  readonly clock?: Clock;
  /** Time to wait for a PostgreSQL that does not accept connections yet. */
  readonly patienceMs?: number;
  /** A store that is being opened already. */
  readonly store?: Promise<Store>;
  /** Whether to use the database of a program that already runs on the data folder, if there is one: for commands. */
  readonly beside?: boolean;
}

/** Shorter than the time for which the limiter works without a Redis that did not respond: by then no request is outstanding. */
const limitsSilenceMs = 1_000;
/** Long enough for a server that recovers from a crash, or that starts at the same time. */
const databasePatienceMs = 60_000;

export async function openInfrastructure(
  config: Config,
  log: Logger,
  options: InfrastructureOptions = {},
): Promise<Infrastructure> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    await closeAll(closers.splice(0).reverse());
  };
  try {
    const onWait = (message: string) => {
      log.warn(message);
    };
    const registry = new Registry();
    registry.registerMetric(droppedLines);
    const tracer = await openTracer(config, log, registry);
    if (tracer !== undefined) closers.push(() => tracer.close());
    const store = await (options.store ?? openStore(config, log, options));
    closers.push(() => store.stop());
    const { url, ownerUrl, failed } = store;
    const dataSource = await openDatabase({
      url,
      poolSize: config.database.poolSize,
      statementTimeoutMs: config.database.statementTimeoutMs,
      entities: accountsEntities,
      applicationName: `lastro-${config.role}`,
      patienceMs: options.patienceMs ?? databasePatienceMs,
      onWait,
    });
    closers.push(() => dataSource.destroy());
    const clock = options.clock ?? (await followDatabase(dataSource, log, closers));
    if (options.beside === true) await requireMigrated(dataSource, migrations);
    const keyRing = openKeyRing(config);
    if (config.role === 'all') {
      const taken = await prepareDatabase(dataSource, ownerUrl, migrations, onWait);
      if (taken > 0) log.info({ migrations: taken }, 'The database was migrated');
    } else await untilMigrated(dataSource, migrations, onWait);
    if (config.production) await warnOfExcess(dataSource, migrations, log);
    const { bus, redis, connections, closeBus } = openBus(config, log);
    closers.push(closeBus);
    registry.registerMetric(redisConnected(connections));
    const memory = createMemoryCounter(clock);
    const limiter = createLimiter(redis === undefined ? memory : createRedisCounter(redis, memory, log), clock);
    const audit = openAuditTrail(url, log);
    closers.push(() => audit.close());
    const { replicaUrls } = config.database;
    // A command reads too little for it, and the other roles read nothing that is published.
    const readsPublished = options.beside !== true && (config.role === 'all' || config.role.startsWith('subgraph:'));
    const replicas =
      replicaUrls.length > 0 && readsPublished
        ? await openReplicas({
            primaryUrl: url,
            urls: replicaUrls,
            primary: dataSource.manager,
            maxLagMs: config.database.replicaMaxLagMs,
            poolSize: config.database.poolSize,
            log,
            statementTimeoutMs: config.database.statementTimeoutMs,
          })
        : undefined;
    if (replicas !== undefined) closers.push(() => replicas.close());
    const context = createContext({ clock, log, manager: dataSource.manager, bus, audit, tracer });
    const parts = {
      config,
      log,
      clock,
      keyRing,
      dataSource,
      replicas,
      databaseUrl: url,
      writingError: createWritingCheck(dataSource),
      bus,
      limiter,
      audit,
      tracer,
    };
    return { ...parts, registry, context, failed, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the tracer, if traces are to be sent; otherwise nothing of it is even loaded. */
async function openTracer(config: Config, log: Logger, registry: Registry): Promise<Tracer | undefined> {
  const { tracing: settings, role } = config;
  if (settings === undefined) return undefined;
  const { createTracer } = await import('../shared/kernel/tracing/tracer.js');
  return createTracer({ settings, role, registry, log });
}

async function followDatabase(dataSource: Database, log: Logger, closers: (() => Promise<unknown>)[]): Promise<Clock> {
  const clock = await openDatabaseClock(dataSource, log);
  closers.push(() => {
    clock.close();
    return Promise.resolve();
  });
  return clock;
}

function openBus(config: Config, log: Logger) {
  if (config.redisUrl === undefined) {
    const bus = createLocalBus();
    return { bus, redis: undefined, connections: [], closeBus: () => bus.close() };
  }
  const redis = openRedis(config.redisUrl, log, { name: 'limits', silenceMs: limitsSilenceMs });
  const bus = createRedisBus(config.redisUrl, log);
  const closeBus = () => {
    redis.disconnect();
    return bus.close();
  };
  return { bus, redis, connections: [redis, ...bus.connections], closeBus };
}

const spaceEveryMs = 5_000;

// A temporary file of a megabyte, which leaves nothing behind and writes no WAL: a table with reusable pages would accept writes for a while on a full
// disk.
const trySpace = `
  SET LOCAL work_mem = '64kB';
  WITH filling AS MATERIALIZED (SELECT repeat(md5(n::text), 32) FROM generate_series(1, 1024) AS n)
  SELECT count(*) FROM filling`;

/** Creates the check that returns why the database cannot be written to, if so. A full disk is noticed within 5 s. @throws when it cannot be queried */
function createWritingCheck(source: Database): () => Promise<string | undefined> {
  let hadSpaceAt = -Infinity;
  return async () => {
    const [row] = await source.query<{ reads: boolean }[]>(
      `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS reads`,
    );
    if (row?.reads === true) return 'is read-only';
    const now = performance.now();
    if (now - hadSpaceAt < spaceEveryMs) return undefined;
    try {
      await source.query(trySpace);
    } catch (error) {
      if (unavailability(error)?.reason === 'full') return 'has no space left';
      throw error;
    }
    hadSpaceAt = now;
    return undefined;
  };
}
