import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { createRedisBus } from '../shared/bus-redis.js';
import { createLocalBus, type Bus } from '../shared/bus.js';
import { systemClock, type Clock } from '../shared/clock.js';
import type { Config } from '../shared/config.js';
import { createContext, type Context } from '../shared/context.js';
import { createKeyRing, type KeyRing } from '../shared/crypto.js';
import { openDatabase, type DatabaseOptions } from '../shared/database/database.js';
import { startEmbedded } from '../shared/database/embedded.js';
import { migrate } from '../shared/database/migrate.js';
import type { Logger } from '../shared/log.js';
import { readMasterKey } from '../shared/master-key.js';
import { openRedis } from '../shared/redis.js';
import { closeAll } from './close-all.js';
import { migrations } from './migrations.js';

/** What every room of a process stands on: opened first, closed last. */
export interface Floor {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly keyRing: KeyRing;
  readonly dataSource: DataSource;
  readonly databaseUrl: string;
  readonly bus: Bus;
  /** For the rate limiter; undefined without `REDIS_URL`. */
  readonly redis: ReturnType<typeof openRedis> | undefined;
  readonly registry: Registry;
  /** The house's own context, for jobs and the relay. */
  readonly context: Context;
  /** Resolves with the reason when the floor gives way under the running house. */
  readonly failed: Promise<string>;
  close(): Promise<void>;
}

export interface FloorOptions {
  readonly entities: DatabaseOptions['entities'];
  readonly clock?: Clock;
}

/** Opens database, bus and keys, and brings the schemas to the last migration. */
export async function openFloor(config: Config, log: Logger, options: FloorOptions): Promise<Floor> {
  const { clock = systemClock } = options;
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    await closeAll(closers.splice(0).reverse());
  };
  try {
    const keyRing = createKeyRing(readMasterKey(config));
    const store = await openStore(config, log);
    closers.push(() => store.stop());
    const { url, failed } = store;
    const dataSource = await openDatabase({
      url,
      poolSize: config.database.poolSize,
      entities: options.entities,
      applicationName: `lastro-${config.role}`,
    });
    closers.push(() => dataSource.destroy());
    const taken = await migrate(dataSource, migrations);
    if (taken > 0) log.info({ migrations: taken }, 'The database was migrated');
    const { bus, redis, closeBus } = openBus(config, log);
    closers.push(closeBus);
    const context = createContext({ clock, log, manager: dataSource.manager, bus });
    const registry = new Registry();
    return { config, log, clock, keyRing, dataSource, databaseUrl: url, bus, redis, registry, context, failed, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Store {
  readonly url: string;
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

async function openStore(config: Config, log: Logger): Promise<Store> {
  if (config.database.url !== undefined) {
    return { url: config.database.url, failed: new Promise(() => undefined), stop: () => Promise.resolve() };
  }
  let fail: (reason: string) => void = () => undefined;
  const failed = new Promise<string>((resolve) => {
    fail = resolve;
  });
  const server = await startEmbedded({
    dataDir: config.dataDir,
    log: (message) => {
      log.info(message);
    },
    onExit: fail,
  });
  return { url: server.url, failed, stop: () => server.stop() };
}

function openBus(config: Config, log: Logger) {
  if (config.redisUrl === undefined) {
    const bus = createLocalBus();
    return { bus, redis: undefined, closeBus: () => bus.close() };
  }
  const redis = openRedis(config.redisUrl, log, 'commands');
  const bus = createRedisBus(redis, openRedis(config.redisUrl, log, 'subscriber'));
  return { bus, redis, closeBus: () => bus.close() };
}
