import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from 'graphql-ws';
import pg from 'pg';
import { WebSocket } from 'ws';
import { findEmbedded } from '../../shared/database/embedded.js';
import { openTestDatabase } from '../kit/database.js';
import { until } from '../kit/until.js';
import {
  build,
  killGroup,
  newDataFolder,
  serverPid,
  startProgram,
  type Program,
  type StartOptions,
} from './program.js';

const programs: Program[] = [];
const cleanups: (() => Promise<void>)[] = [];

/** A data folder on which the program has run and ended properly. */
let used: Awaited<ReturnType<typeof newDataFolder>>;

beforeAll(async () => {
  await build();
  used = await newDataFolder();
  const program = startProgram({ env: { DATA_DIR: used.dataDir } });
  await program.ready;
  program.child.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 0, signal: null });
});
afterAll(() => used.remove());

afterEach(async () => {
  await Promise.all(programs.splice(0).map(killGroup));
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

function start(options: StartOptions): Program {
  const program = startProgram(options);
  programs.push(program);
  return program;
}

async function folder(): Promise<string> {
  const made = await newDataFolder();
  cleanups.push(() => made.remove());
  return made.dataDir;
}

/** A copy of the folder on which the program has run, with its owners: a start on it creates nothing. */
async function usedFolder(): Promise<string> {
  const dataDir = await folder();
  expect(spawnSync('cp', ['-a', used.dataDir, dataDir]).status).toBe(0);
  return dataDir;
}

async function openClient(url: string | undefined): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  cleanups.push(() => client.end());
  return client;
}

const register = (url: string, email: string) =>
  fetch(`${url}/v1/emissoes/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ana Teste', email, password: 'senha1234', company: 'Teste S.A.' }),
  });

const countAccounts = async (client: pg.Client) => {
  const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM accounts.accounts');
  return Number(rows[0]?.count);
};

describe('a start', () => {
  test('twice side by side gives two programs that know nothing of each other, each with a data folder that is closed to others', async () => {
    const [one, two] = [await folder(), await folder()];
    // One of before, which others could enter.
    await mkdir(two, { mode: 0o755 });
    await writeFile(join(two, 'master.key'), randomBytes(32).toString('base64'));
    const [a, b] = [start({ env: { DATA_DIR: one } }), start({ env: { DATA_DIR: two } })];
    const [urlA, urlB] = [await a.ready, await b.ready];
    expect(urlA).not.toBe(urlB);
    for (const dataDir of [one, two]) {
      const modes = ['', 'master.key'].map((name) => statSync(join(dataDir, name)).mode & 0o777);
      expect(modes).toEqual([0o700, 0o600]);
    }
    expect((await register(urlA, 'so-no-primeiro@exemplo.com.br')).status).toBe(200);
    expect(await countAccounts(await openClient(await findEmbedded(one)))).toBe(1);
    expect(await countAccounts(await openClient(await findEmbedded(two)))).toBe(0);
    for (const url of [urlA, urlB]) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(await (await fetch(`${url}/metrics`)).text()).toContain('# TYPE');
    }
  });

  test('with a wrong configuration names every error at once and ends with code 1', async () => {
    const program = start({
      env: { PORT: 'http', DATABASE_URL: 'mysql://x', DATABASE_POOL: '0', DATA_DIR: await folder() },
    });
    expect(await program.ended).toEqual({ code: 1, signal: null });
    for (const name of ['PORT', 'DATABASE_URL', 'DATABASE_POOL']) expect(program.output()).toContain(`- ${name} `);
  });

  test('on a port that is taken says so, ends with code 1 and leaves no database behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const dataDir = await folder();
    const program = start({ env: { PORT: String(port), DATA_DIR: dataDir } });
    expect((await program.ended).code).toBe(1);
    expect(program.output()).toContain(String(port));
    expect(await serverPid(dataDir)).toBeUndefined();
    taken.close();
  });

  test('on a data folder in use is refused and names the process that uses it, which SIGINT and SIGTERM again and again stop properly', async () => {
    const dataDir = await usedFolder();
    const first = start({ env: { DATA_DIR: dataDir } });
    const url = await first.ready;
    const second = start({ env: { DATA_DIR: dataDir } });
    expect((await second.ended).code).toBe(1);
    expect(second.output()).toContain(`in use by process ${String(first.child.pid)}`);
    expect(second.output()).toContain('another DATA_DIR');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    // As Ctrl-C under npm sends them.
    for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) first.child.kill(signal);
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(await serverPid(dataDir)).toBeUndefined();
  });

  test('with DATABASE_URL runs on that server and starts none', async () => {
    const database = await openTestDatabase();
    cleanups.push(async () => {
      await database.close();
    });
    const dataDir = await folder();
    const program = start({ env: { DATA_DIR: dataDir, DATABASE_URL: database.url } });
    expect((await register(await program.ready, 'fora@exemplo.com.br')).status).toBe(200);
    expect(await countAccounts(await openClient(database.url))).toBe(1);
    expect(await serverPid(dataDir)).toBeUndefined();
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  const nobody = 65534;
  // Only root can start it as another user, and that user must be able to enter the project.
  const readable = fileURLToPath(new URL('../../package.json', import.meta.url));
  const may = process.getuid?.() === 0 && spawnSync('cat', [readable], { uid: nobody, gid: nobody }).status === 0;
  const why = may ? '' : ' (skipped: it needs root, and a project folder that every user may enter)';
  (may ? test : test.skip)(`as an ordinary user works like one as root${why}`, async () => {
    const dataDir = await folder();
    await mkdir(dataDir);
    await chmod(dirname(dataDir), 0o755);
    await chown(dataDir, nobody, nobody);
    const program = start({ env: { DATA_DIR: dataDir, HOME: dataDir }, uid: nobody });
    expect((await register(await program.ready, 'comum@exemplo.com.br')).status).toBe(200);
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });
});

describe('SIGTERM', () => {
  test('lets a request under way finish, closes sockets properly and stops the database', async () => {
    const dataDir = await usedFolder();
    const program = start({ env: { DATA_DIR: dataDir } });
    const url = await program.ready;
    const client = await openClient(await findEmbedded(dataDir));
    const closed = openSocket(url);
    await closed.opened;

    await client.query('BEGIN; LOCK TABLE accounts.accounts IN ACCESS EXCLUSIVE MODE');
    const answer = register(url, 'em-curso@exemplo.com.br');
    await sleep(300);
    const begun = Date.now();
    program.child.kill('SIGTERM');
    await sleep(700);
    await client.query('COMMIT');

    expect((await answer).status).toBe(200);
    expect([1001, 1012]).toContain(await closed.code);
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(await serverPid(dataDir)).toBeUndefined();
  });

  test('while it still starts ends it, and the database with it', async () => {
    const dataDir = await folder();
    const program = start({ env: { DATA_DIR: dataDir } });
    await until('the server of the database', async () => (await serverPid(dataDir)) !== undefined);
    program.child.kill('SIGTERM');
    await program.ended;
    await until('the server of the database to be gone', async () => (await serverPid(dataDir)) === undefined);
  });

  test('to npm reaches the program, and npm ends with code 0', async () => {
    const dataDir = await usedFolder();
    const program = start({ env: { DATA_DIR: dataDir }, npm: true });
    const url = await program.ready;
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    expect(await serverPid(dataDir)).toBeUndefined();
  });
});

describe('SIGKILL', () => {
  test('of the program loses nothing that was answered, and the next start takes over at once', async () => {
    const dataDir = await usedFolder();
    const first = start({ env: { DATA_DIR: dataDir } });
    const url = await first.ready;
    expect((await register(url, 'antes@exemplo.com.br')).status).toBe(200);
    await killGroup(first);
    const second = start({ env: { DATA_DIR: dataDir } });
    await second.ready;
    expect(await countAccounts(await openClient(await findEmbedded(dataDir)))).toBe(1);
  });

  test('of the program, or of everything that npm started, leaves no database behind', async () => {
    for (const npm of [false, true]) {
      const dataDir = await usedFolder();
      const program = start({ env: { DATA_DIR: dataDir }, npm });
      await program.ready;
      const server = (await serverPid(dataDir)) ?? 0;
      expect(lives(server)).toBe(true);
      await killGroup(program);
      // It has ten seconds to be gone, by whatever means.
      await until('the server of the database to be gone', () => !lives(server));
    }
  });

  test('of npm alone ends the program too, and a start at once waits for it', async () => {
    const dataDir = await usedFolder();
    const first = start({ env: { DATA_DIR: dataDir }, npm: true });
    await first.ready;
    first.child.kill('SIGKILL');
    const second = start({ env: { DATA_DIR: dataDir } });
    await second.ready;
    await first.ended;
  });

  test('of the database starts it again beneath the program, which says so and serves on', async () => {
    const dataDir = await usedFolder();
    const program = start({ env: { DATA_DIR: dataDir } });
    const url = await program.ready;
    process.kill((await serverPid(dataDir)) ?? 0, 'SIGKILL');
    await until('the word that the database has ended', () =>
      program.output().includes('PostgreSQL ended with SIGKILL'),
    );
    await until('the program to be ready again', async () => (await fetch(`${url}/readyz`)).status === 200);
    await until('the registration', async () => {
      expect((await register(url, 'depois@exemplo.com.br')).status).toBe(200);
      return true;
    });
    expect(await countAccounts(await openClient(await findEmbedded(dataDir)))).toBe(1);
  });
});

/** Whether a process is there; one that has ended and that nobody has asked for is not. */
function lives(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function openSocket(url: string): { opened: Promise<void>; code: Promise<number> } {
  let open: () => void = () => undefined;
  let close: (code: number) => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const code = new Promise<number>((resolve) => (close = resolve));
  createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => undefined,
    on: {
      connected: () => {
        open();
      },
      closed: (event) => {
        close(event instanceof Object && 'code' in event ? Number(event.code) : 0);
      },
    },
  });
  return { opened, code };
}
