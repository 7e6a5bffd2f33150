import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.js';
import { freePort } from './free-port.js';

/** A PgBouncer in transaction mode before one server. */
export type Pooler = Awaited<ReturnType<typeof openPooler>>;

const program = process.env['PGBOUNCER'] ?? 'pgbouncer';
const asked = spawnSync(program, ['--version'], { encoding: 'utf8' });
const version = asked.error === undefined ? /PgBouncer (\d+)\.(\d+)/.exec(asked.stdout) : null;

/** Why tests behind PgBouncer cannot run here; undefined when they can. */
export const poolerMissing: string | undefined =
  version === null ? 'no pgbouncer on the PATH: install it, or name one by PGBOUNCER' : undefined;

export interface PoolerOptions {
  /** An address of the server, on TCP. */
  readonly server: string;
  /** Addresses with the users and passwords that may connect. */
  readonly users: readonly string[];
  /** Connections to the server for each user and database. */
  readonly size?: number;
}

/** Starts a PgBouncer with its defaults but for the mode, so that it refuses whatever start-up parameters it refuses anywhere. */
export async function openPooler({ server, users, size = 20 }: PoolerOptions) {
  const followsPrepared = Number(version?.[1]) > 1 || Number(version?.[2]) >= 21;
  const folder = await mkdtemp(join(tmpdir(), 'lastro-pooler-'));
  const port = await freePort();
  const list = users
    .map((user) => new URL(user))
    .map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: join(folder, 'users.txt'),
    admin_users: users.map((user) => new URL(user).username).join(','),
    pool_mode: 'transaction',
    default_pool_size: size,
    max_client_conn: 2000,
    server_idle_timeout: 5,
    ...(followsPrepared ? { max_prepared_statements: 500 } : {}),
  };
  const ini = [
    '[databases]',
    `* = host=127.0.0.1 port=${new URL(server).port}`,
    '[pgbouncer]',
    ...Object.entries(settings).map(([name, value]) => `${name} = ${String(value)}`),
  ];
  await writeFile(join(folder, 'users.txt'), list.join(''), { mode: 0o644 });
  await writeFile(join(folder, 'pgbouncer.ini'), ini.join('\n'));
  await chmod(folder, 0o755);
  // It refuses to run as root, and then takes another user by itself.
  const unprivileged = process.getuid?.() === 0 ? ['--user=nobody'] : [];
  const child = spawn(program, [...unprivileged, join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-10_000)));
  const ended = once(child, 'close');
  try {
    await untilListening(
      port,
      () => child.exitCode !== null,
      () => output,
    );
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const through = (url: string): string => {
    const pooled = new URL(url);
    pooled.port = String(port);
    // Not over the server's own socket.
    pooled.searchParams.delete('host');
    if (!followsPrepared) pooled.searchParams.set('prepared_statements', 'false');
    return pooled.href;
  };
  const commands = new URL(through(users[0] ?? server));
  commands.pathname = '/pgbouncer';
  return {
    /** Whether it can follow prepared statements from one connection of the server to another (1.21 and later). */
    followsPrepared,
    /** The address through it for an address of the server; the password must be that of `users`. */
    through,
    /** Runs a command of its console. */
    console: commands.href,
    close: async () => {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
      if (isOver) throw new Error(`PgBouncer ended by itself:\n${output}`);
    },
  };
}

async function untilListening(port: number, isOver: () => boolean, output: () => string): Promise<void> {
  await until('PgBouncer', async () => {
    if (isOver()) return true;
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } finally {
      socket.destroy();
    }
  });
  if (isOver()) throw new Error(`PgBouncer has ended:\n${output()}`);
}
