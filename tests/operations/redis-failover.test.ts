import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openInstances, type Instances } from '../hostile/instances-kit.js';
import { ownRedisMissing } from '../kit/redis.js';
import { build } from '../start/program.js';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { sha256 } from '../../shared/security/crypto.js';
import { until } from '../kit/until.js';
import { freePort } from '../kit/free-port.js';

/** Several servers of Redis behind one address, of which the one in charge can be lost. */
type ManyRedis = Awaited<ReturnType<typeof openSentinelRedis>>;

const user = { username: 'lastro', password: 'a pass:word/@?' };
/** What docs/operations/configuration.md says that the program needs. */
const permissions = '~lastro:* &* +@connection +@pubsub +eval +get +set +incrby +pttl +info';
const aclOf = (more = '') =>
  `user ${user.username} on "#${sha256(user.password).toString('hex')}" ${permissions}${more}`;
const credentials = `${user.username}:${encodeURIComponent(user.password)}`;

interface Server {
  readonly port: number;
  readonly child: ChildProcess;
}

/** What all servers of one test share: a folder, a certificate where it asks for TLS, and who may log in. */
async function openGround() {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-redis-'));
  const servers: Server[] = [];
  const start = async (lines: readonly string[], { port, sentinel = false }: { port: number; sentinel?: boolean }) => {
    const file = join(folder, `${port}.conf`);
    await writeFile(file, [`dir ${folder}`, 'bind 127.0.0.1', ...lines].join('\n'));
    const child = spawn('redis-server', [file, ...(sentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
    const server = { port, child };
    servers.push(server);
    return server;
  };
  return {
    folder,
    start,
    close: async () => {
      await Promise.all(servers.map(kill));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function kill({ child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const ports = (count: number) => Promise.all(Array.from({ length: count }, freePort));

async function ask<T>(port: number, options: object, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ host: '127.0.0.1', port, retryStrategy: () => null, maxRetriesPerRequest: 0, ...options });
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Rejects while a server does not answer. */
async function isUp(port: number, options: object): Promise<true> {
  await ask(port, options, (redis) => redis.ping());
  return true;
}

/** A primary, two replicas and three sentinels, all with TLS only, and a user of the ACL who may do what the program does and no more. */
async function openSentinelRedis() {
  const ground = await openGround();
  const { folder } = ground;
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  // prettier-ignore
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
    '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const tlsOf = (port: number) => [
    'port 0',
    `tls-port ${port}`,
    `tls-cert-file ${certificate}`,
    `tls-key-file ${key}`,
    `tls-ca-cert-file ${certificate}`,
    'tls-auth-clients no',
    'tls-replication yes',
  ];
  const acl = [
    aclOf(),
    'user machine on >machine ~* &* +@all',
    'user default off',
    'masteruser machine',
    'masterauth machine',
  ];
  const data = await ports(3);
  const guards = await ports(3);
  const [first = 0] = data;
  const servers = new Map<number, Server>();
  for (const port of data) {
    const follows = port === first ? [] : [`replicaof 127.0.0.1 ${first}`];
    servers.set(port, await ground.start([...tlsOf(port), ...acl, 'save ""', ...follows], { port }));
  }
  const tls = { tls: { rejectUnauthorized: false } };
  const machine = { ...tls, username: 'machine', password: 'machine' };
  for (const port of data) {
    await until('each server', () => isUp(port, machine));
  }
  for (const port of guards) {
    await ground.start(
      [
        ...tlsOf(port),
        `sentinel monitor house 127.0.0.1 ${first} 2`,
        'sentinel auth-user house machine',
        'sentinel auth-pass house machine',
        'sentinel down-after-milliseconds house 1000',
        'sentinel failover-timeout house 5000',
      ],
      { port, sentinel: true },
    );
  }
  const primary = () =>
    ask(guards[0] ?? 0, tls, async (redis) => {
      const [, port] = (await redis.call('SENTINEL', 'get-master-addr-by-name', 'house')) as string[];
      return Number(port);
    });
  const knowsAll = (port: number) =>
    ask(port, tls, async (redis) => {
      const [others, replicas] = [
        (await redis.call('SENTINEL', 'sentinels', 'house')) as unknown[],
        (await redis.call('SENTINEL', 'replicas', 'house')) as string[][],
      ];
      // A list of names and values; the link of a replica that follows says "ok".
      return others.length === 2 && replicas.filter((replica) => replica.includes('ok')).length === 2;
    });
  for (const port of guards) await until('the sentinels to know each other and both replicas', () => knowsAll(port));
  return {
    /** As REDIS_URL takes it. */
    url: `rediss+sentinel://${credentials}@${guards.map((port) => `127.0.0.1:${port}`).join()}/house`,
    /** What a program needs in its environment to trust the servers' certificates. */
    env: { NODE_EXTRA_CA_CERTS: certificate } as Readonly<Record<string, string>>,
    /** Kills the server in charge, and resolves once another one is. */
    failOver: async () => {
      const before = await primary();
      const server = servers.get(before);
      if (server !== undefined) await kill(server);
      await until('another primary', async () => (await primary()) !== before);
    },
    close: ground.close,
  };
}

/** Three primaries with a replica each. */
async function openClusterRedis(): Promise<ManyRedis> {
  const ground = await openGround();
  const data = await ports(6);
  const servers = new Map<number, Server>();
  for (const port of data) {
    const acl = aclOf(' +cluster|slots');
    const lines = [`port ${port}`, 'save ""', 'cluster-enabled yes', 'cluster-node-timeout 1500', acl];
    // The nodes' own port is 10,000 above by default, which may not exist.
    const bus = [`cluster-port ${await freePort()}`, `cluster-config-file nodes-${port}.conf`];
    servers.set(port, await ground.start([...lines, ...bus], { port }));
  }
  for (const port of data) {
    await until('each server', () => isUp(port, {}));
  }
  const nodes = data.map((port) => `127.0.0.1:${port}`);
  execFileSync('redis-cli', ['--cluster', 'create', ...nodes, '--cluster-replicas', '1', '--cluster-yes'], {
    stdio: 'ignore',
  });
  const info = (port: number, section: 'cluster info' | 'replication') =>
    ask(port, {}, (redis) => (section === 'replication' ? redis.info(section) : redis.cluster('INFO')));
  for (const port of data) {
    const isComplete = async () =>
      (await info(port, 'cluster info')).includes('cluster_state:ok') &&
      /role:master[\s\S]*connected_slaves:1|master_link_status:up/.test(await info(port, 'replication'));
    await until('the cluster to be complete', isComplete);
  }
  return {
    url: `redis+cluster://${credentials}@${nodes.slice(0, 3).join()}`,
    env: {},
    failOver: async () => {
      const primaries: number[] = [];
      for (const [port, { child }] of servers) {
        if (child.signalCode === null && (await info(port, 'replication')).includes('role:master'))
          primaries.push(port);
      }
      const [lost] = primaries;
      const server = lost === undefined ? undefined : servers.get(lost);
      if (server === undefined) throw new Error('The cluster has no primary');
      await kill(server);
      const isWhole = async () => {
        const [other = 0] = primaries.slice(1);
        const text = await ask(other, {}, (redis) => redis.call('CLUSTER', 'NODES') as Promise<string>);
        const inCharge = text.split('\n').filter((line) => /\bmaster\b/.test(line) && !/\bfail\b/.test(line));
        return inCharge.length === 3 && (await info(other, 'cluster info')).includes('cluster_state:ok');
      };
      await until('a replica to be in charge', isWhole);
    },
    close: ground.close,
  };
}

if (ownRedisMissing !== undefined) console.warn(`Skipped: failover of Redis (${ownRedisMissing})`);
const withRedis = ownRedisMissing === undefined ? describe.each : describe.skip.each;

withRedis([
  { name: 'Sentinel over TLS, as a user of the ACL', open: openSentinelRedis },
  { name: 'a cluster', open: openClusterRedis },
])('two instances with $name', ({ open }) => {
  let redis: ManyRedis;
  let instances: Instances;
  beforeAll(async () => {
    await build();
    redis = await open();
    instances = await openInstances(redis.url, redis.env);
  });
  afterAll(async () => {
    await instances.close();
    await redis.close();
  });

  test('share events; while the server in charge is killed and a worker starts, they answer and deliver everything, and the same readers go on', async () => {
    const readers = await instances.openReaders();
    await instances.heardByBoth(readers);
    const failing = redis.failOver();
    const worker = instances.start({ ROLE: 'worker' });
    await Promise.all([instances.askAll(), instances.deliverAll(), failing, worker.ready]);
    for (const { heard } of readers) heard.clear();
    await instances.heardByBoth(readers);
    for (const reader of readers) reader.close();
    expect(instances.programs.map(({ output }) => /READONLY|CROSSSLOT|NOPERM/.exec(output())?.[0])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
