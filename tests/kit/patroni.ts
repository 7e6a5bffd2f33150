import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { z } from 'zod';
import { until } from './until.js';
import { freePort } from './free-port.js';
import { openNetwork, type Network } from './network.js';
import {
  asNobody,
  filled,
  nodes,
  prepare,
  prepareArchive,
  read,
  secret,
  validate,
  variablesOf,
  type Ground,
} from './patroni-files.js';
import type { PatroniTools } from './patroni-tools.js';

/** Three machines with PostgreSQL, Patroni and etcd, by the files of deploy/patroni, and HAProxy before them. */
export interface PatroniCluster {
  readonly network: Network;
  /** The database of the program through HAProxy, as its role and as the owner of the schemas. */
  readonly url: string;
  readonly ownerUrl: string;
  /** The same database on each machine, past HAProxy, as the role of the program. */
  readonly nodeUrls: readonly string[];
  /** The log of a machine's Patroni and PostgreSQL, and that of HAProxy. */
  readonly folder: string;
  /** Who is what at the moment, by what a machine that can be reached says. */
  roles(): Promise<Roles>;
  whole(): Promise<Roles>;
  kill(node: string): Promise<void>;
  start(node: string): void;
  /** Asks for another primary, in an orderly way. */
  switchover(): Promise<void>;
  /** Runs a statement on the primary as superuser. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface Roles {
  readonly primary: string;
  /** The standby that has every commit that was acknowledged. */
  readonly synchronous: string;
  readonly others: readonly string[];
}

const clusterForm = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })),
});

/** Starts all of it, with the two roles and the database of deploy/postgres/roles.sql. */
export async function openPatroni(tools: PatroniTools): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-patroni-'));
  chmodSync(folder, 0o755);
  const network = openNetwork(nodes);
  const port = await freePort();
  const ground = { tools, folder, network, port };
  const close = async () => {
    network.close();
    haproxy?.kill('SIGKILL');
    await sleep(100);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  let haproxy: ReturnType<typeof startHaproxy> | undefined;
  try {
    prepareArchive(ground);
    for (const node of nodes) prepare(ground, node);
    for (const node of nodes) startEtcd(ground, node);
    for (const node of nodes) await validate(ground, node);
    haproxy = startHaproxy(ground);
    for (const node of nodes) startPatroni(ground, node);
    const cluster = clusterOn(ground, close);
    await cluster.whole();
    addRoles(ground);
    // What a role must have to see which primary a standby follows (docs/operations/README.md, Read replicas).
    await cluster.query('GRANT pg_read_all_stats TO lastro_app');
    return cluster;
  } catch (error) {
    await close();
    throw error;
  }
}

function run(ground: Ground, node: string, command: readonly string[], variables: Record<string, string>): void {
  const log = openSync(join(ground.folder, `${node}.log`), 'a');
  const [program = '', ...args] = asNobody(ground, node, command);
  const env = { ...ground.tools.env, HOME: join(ground.folder, node), LC_ALL: 'C.UTF-8', ...variables };
  spawn(program, args, { cwd: '/', env, stdio: ['ignore', log, log], detached: true }).unref();
  closeSync(log);
}

export function startEtcd(ground: Ground, node: string): void {
  const variables = variablesOf(ground, 'etcd.env.example', node);
  const folder = join(ground.folder, node, 'etcd');
  run(ground, node, [ground.tools.etcd, '--logger=zap', '--log-level=warn'], { ...variables, ETCD_DATA_DIR: folder });
}

/** Starts Patroni, which starts PostgreSQL. */
export function startPatroni(ground: Ground, node: string): void {
  const file = join(ground.folder, node, 'patroni.yml');
  run(ground, node, [ground.tools.patroni, file], variablesOf(ground, 'patroni.env.example', node));
}

function startHaproxy(ground: Ground) {
  const { folder, tools, port } = ground;
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, filled(ground, read('haproxy.cfg')).replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`));
  execFileSync(tools.haproxy, ['-c', '-f', file], { env: tools.env, stdio: 'pipe' });
  const log = openSync(join(folder, 'haproxy.log'), 'a');
  // It ends with this process, however that ends.
  const args = ['--pdeathsig', 'KILL', '--', tools.haproxy, '-db', '-f', file];
  const child = spawn('setpriv', args, { env: tools.env, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

/** Runs the file for operators, by psql, through HAProxy. */
function addRoles({ port }: Ground): void {
  const file = fileURLToPath(new URL('../../deploy/postgres/roles.sql', import.meta.url));
  execFileSync('psql', ['-q', '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-f', file, 'postgres'], {
    env: { PATH: process.env['PATH'], PGPASSWORD: secret, LASTRO_OWNER_PASSWORD: secret, LASTRO_APP_PASSWORD: secret },
    stdio: 'pipe',
  });
}

function clusterOn(ground: Ground, close: () => Promise<void>): PatroniCluster {
  const { network, port, folder } = ground;
  const address = (role: string, at = `127.0.0.1:${port}`, database = 'lastro') =>
    `postgresql://${role}:${secret}@${at}/${database}`;
  const ask = (node: string, path: string, init?: RequestInit) =>
    fetch(`http://${network.addressOf(node)}:8008${path}`, { ...init, signal: AbortSignal.timeout(3_000) });

  const members = async () => {
    for (const node of nodes) {
      const said = await ask(node, '/cluster').catch(() => undefined);
      if (said?.ok === true) return clusterForm.parse(await said.json()).members;
    }
    return [];
  };
  const roles = async (): Promise<Roles> => {
    const running = (await members()).filter(({ state }) => state === 'running' || state === 'streaming');
    const byRole = (role: string) => running.filter((one) => one.role === role).map(({ name }) => name);
    const [primary = ''] = byRole('leader');
    const [synchronous = ''] = byRole('sync_standby');
    return { primary, synchronous, others: byRole('replica') };
  };
  return {
    network,
    folder,
    url: address('lastro_app'),
    ownerUrl: address('lastro_owner'),
    nodeUrls: nodes.map((node) => address('lastro_app', `${network.addressOf(node)}:5432`)),
    roles,
    whole: () => {
      const isWhole = async () => {
        const now = await roles();
        if (now.primary !== '' && now.synchronous !== '' && now.others.length === nodes.length - 2) return now;
        throw new Error(JSON.stringify(await members()));
      };
      return until('the cluster to be whole', isWhole, { within: 240_000 });
    },
    kill: (node) => network.kill(node),
    start: (node) => {
      startEtcd(ground, node);
      startPatroni(ground, node);
    },
    switchover: async () => {
      const { primary, synchronous } = await roles();
      const body = JSON.stringify({ leader: primary, candidate: synchronous });
      const operator = `Basic ${Buffer.from(`patroni:${secret}`).toString('base64')}`;
      // The response comes once it is done.
      const init = { method: 'POST', body, headers: { authorization: operator, 'content-type': 'application/json' } };
      const said = await fetch(`http://${network.addressOf(primary)}:8008/switchover`, init);
      if (!said.ok) throw new Error(`The switchover was refused: ${await said.text()}`);
    },
    query: async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
      const client = new pg.Client(address('postgres', undefined, 'lastro'));
      await client.connect();
      try {
        return (await client.query<Row>(sql, [...values])).rows;
      } finally {
        await client.end();
      }
    },
    close,
  };
}
