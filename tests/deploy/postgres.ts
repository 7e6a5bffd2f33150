import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { until } from '../kit/until.js';

/** PostgreSQL refuses root: under root it runs as the system's `nobody`. */
const switchTo = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export interface ServerOptions {
  readonly bin: string;
  /** A folder that its user may enter. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A PostgreSQL of a test's own that a distribution installed, with a superuser who needs no password. */
export function serverTools({ bin, folder, env }: ServerOptions) {
  const all = {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    LC_ALL: 'C.UTF-8',
    PGHOST: folder,
    PGUSER: 'postgres',
    ...env,
  };
  /** Runs a program to its end as the server's user. @returns its output */
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, {
      cwd: folder,
      env: all,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...switchTo,
    });
  return {
    run,
    /** Like `run`, for a program that is expected to fail. */
    fails: (program: string, ...args: readonly string[]) => {
      const { status, stderr } = spawnSync(program, args, { cwd: folder, env: all, encoding: 'utf8', ...switchTo });
      return { status, stderr };
    },
    initialise: (data: string) =>
      run(
        'initdb',
        '-D',
        data,
        '-U',
        'postgres',
        '--auth=trust',
        '--wal-segsize=1',
        '--data-checksums',
        '--no-sync',
        '--encoding=UTF8',
      ),
    start: (data: string, settings: readonly string[]) => start({ bin, folder, all }, data, settings),
    urlOf: (role: string, database: string) =>
      `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(folder)}`,
  };
}

export interface Server {
  kill(): Promise<void>;
  stop(): Promise<void>;
}

async function start(
  { bin, folder, all }: Pick<ServerOptions, 'bin' | 'folder'> & { readonly all: Readonly<Record<string, string>> },
  data: string,
  settings: readonly string[],
): Promise<Server> {
  const chosen = [`unix_socket_directories=${folder}`, 'listen_addresses=', ...settings];
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...chosen.flatMap((one) => ['-c', one])], {
    cwd: folder,
    env: all,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...switchTo,
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit');
  await untilOpen({ child, folder, follows: existsSync(join(data, 'standby.signal')) }, () => output);
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal);
    await ended;
  };
  return { kill: end('SIGQUIT'), stop: end('SIGINT') };
}

/** Waits until the server accepts statements that write, and with that until a recovery is complete; a standby has to accept those that read. */
async function untilOpen(
  { child, folder, follows }: { readonly child: ChildProcess; readonly folder: string; readonly follows: boolean },
  output: () => string,
): Promise<void> {
  await until('PostgreSQL', async () => {
    if (child.exitCode !== null) return true;
    const client = new Client({ host: folder, user: 'postgres', database: 'postgres' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ recovers: boolean }>('SELECT pg_is_in_recovery() AS recovers');
      return rows[0]?.recovers === follows;
    } finally {
      await client.end().catch(() => undefined);
    }
  });
  if (child.exitCode !== null) throw new Error(`PostgreSQL ended:\n${output()}`);
}

/** Makes a folder that belongs to the server's user. */
export function folderFor(path: string): string {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
  if (switchTo.uid !== undefined) chownSync(path, switchTo.uid, switchTo.gid);
  return path;
}

/** Waits until the log that is written so far is in the archive. */
export async function archived(client: Client): Promise<void> {
  const { rows } = await client.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
  const wanted = rows[0]?.file ?? '';
  await until(`${wanted} in the archive`, async () => {
    const { rows: seen } = await client.query<{ last: string | null }>(
      'SELECT last_archived_wal AS last FROM pg_stat_archiver',
    );
    return (seen[0]?.last ?? '') >= wanted;
  });
}
