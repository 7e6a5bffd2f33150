import { spawn, spawnSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { until } from './until.js';
import { freePort } from './free-port.js';

/** Why tests that stop and freeze a Redis cannot run here; undefined when they can. */
export const ownRedisMissing: string | undefined =
  spawnSync('redis-server', ['--version']).error === undefined ? undefined : 'no redis-server on the PATH';

/** Why tests that need Redis cannot run here; undefined when they can. */
export const redisMissing: string | undefined =
  process.env['REDIS_URL'] === undefined && ownRedisMissing !== undefined
    ? `neither REDIS_URL nor a redis-server: ${ownRedisMissing}`
    : undefined;

export interface TestRedis {
  readonly url: string;
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** A Redis that a test may do anything to. */
export interface OwnRedis extends TestRedis {
  readonly port: number;
  /** The server goes on taking connections, and does nothing any more. */
  freeze(): void;
  wake(): void;
}

/** A Redis of the test file's own, without persistence; or the one of REDIS_URL. */
export async function openTestRedis(): Promise<TestRedis> {
  const given = process.env['REDIS_URL'];
  if (given !== undefined) return { url: given, kill: () => Promise.resolve(), close: () => Promise.resolve() };
  return openOwnRedis();
}

/** A Redis of the test file's own, on a port where one may have been before. */
export async function openOwnRedis(given?: number): Promise<OwnRedis> {
  const port = given ?? (await freePort());
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  );
  const gone = new Promise<void>((resolve) =>
    server.once('exit', () => {
      resolve();
    }),
  );
  const url = `redis://127.0.0.1:${port}`;
  const probe = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  probe.on('error', () => undefined);
  await until('Redis', () => probe.connect().then(() => true));
  probe.disconnect();
  const end = (signal: NodeJS.Signals) => async () => {
    server.kill(signal);
    server.kill('SIGCONT');
    await gone;
  };
  return {
    url,
    port,
    kill: end('SIGKILL'),
    close: end('SIGTERM'),
    freeze: () => {
      server.kill('SIGSTOP');
    },
    wake: () => {
      server.kill('SIGCONT');
    },
  };
}
