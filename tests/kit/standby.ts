import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { accountFor, environment, pathOfWorkingFolder } from '../../shared/database/embedded-account.js';
import { findBinaries } from '../../shared/database/embedded-binaries.js';
import { separateRoles } from '../../shared/database/embedded-roles.js';
import { watchOver } from '../../shared/database/embedded-server.js';
import { startEmbedded } from '../../shared/database/embedded.js';
import { newDataFolder } from '../start/program.js';
import { until } from './until.js';
import { freePort } from './free-port.js';

export type Primary = Awaited<ReturnType<typeof openPrimary>>;
/** A hot standby of such a server, by streaming replication. */
export type Standby = Awaited<ReturnType<typeof openStandby>>;

/** Starts a PostgreSQL that standbys can be made from. */
export async function openPrimary() {
  const data = await newDataFolder();
  const server = await startEmbedded({ dataDir: data.dataDir });
  const { url, ownerUrl } = await separateRoles(server.url);
  return {
    folder: join(data.dataDir, 'postgres'),
    url: onTcp(url),
    ownerUrl: onTcp(ownerUrl),
    superuserUrl: onTcp(server.url),
    close: async () => {
      await server.stop();
      await data.remove();
    },
  };
}

function onTcp(address: string): string {
  const url = new URL(address);
  url.searchParams.delete('host');
  return url.href;
}

/** What a base backup leaves out. */
const left =
  /^(?:\.s\.PGSQL.*|postmaster\.(?:pid|opts)|pg_wal|pg_replslot|pg_stat_tmp|pg_dynshmem|pg_notify|pg_internal\.init.*)$/;

/** Makes a standby of a server on which little happens meanwhile, and waits until it serves. */
export async function openStandby(primary: Primary) {
  const base = await mkdtemp(join(tmpdir(), 'lastro-standby-'));
  const cluster = join(base, 'postgres');
  const port = await freePort();
  const account = await accountFor(primary.folder);
  const slot = `standby_${port}`;
  await copyFrom(primary, cluster, slot);
  const { hostname, port: from, username, password } = new URL(primary.superuserUrl);
  const upstream = `host=${hostname} port=${from} user=${username} password=${decodeURIComponent(password)}`;
  await writeFile(join(cluster, 'standby.signal'), '');
  await writeFile(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = '${upstream}'\nprimary_slot_name = '${slot}'\n`,
  );
  if (account.switchTo !== undefined) {
    execFileSync('chown', ['-R', `${account.switchTo.uid}:${account.switchTo.gid}`, cluster]);
    await chown(base, account.switchTo.uid, account.switchTo.gid);
  }
  const { postgres } = await findBinaries(account, () => undefined);
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'shared_buffers=32MB'];
  settings.push('max_connections=100', 'wal_receiver_status_interval=1', 'timezone=UTC', 'jit=off');
  const run = () => {
    const args = ['-D', pathOfWorkingFolder(account, cluster), ...settings.flatMap((one) => ['-c', one])];
    const child = spawn(postgres, args, {
      cwd: cluster,
      env: environment,
      ...account.switchTo,
      stdio: 'ignore',
      detached: true,
    });
    const ended = once(child, 'exit');
    if (child.pid !== undefined) child.once('exit', watchOver(child.pid, account));
    return { child, ended };
  };
  const at = (url: string) => {
    const own = new URL(url);
    own.port = String(port);
    return own.href;
  };
  let server = run();
  const query = async <Row extends object>(sql: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: at(primary.superuserUrl) });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const ready = async () => {
    await until('the standby', async () => server.child.exitCode !== null || (await query('SELECT')).length > 0);
    if (server.child.exitCode !== null) throw new Error('The standby has ended');
  };
  const signal = (name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => {
    const { pid = 0 } = server.child;
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    for (const one of [pid, ...children.split('\n').map(Number)].filter((id) => id > 0)) process.kill(one, name);
  };
  const isOver = () => server.child.exitCode !== null || server.child.signalCode !== null;
  const kill = async () => {
    if (!isOver()) signal('SIGKILL');
    await server.ended;
  };
  await ready();
  return {
    at,
    run: query,
    kill,
    start: async () => {
      server = run();
      await ready();
    },
    /** Every process of the server stands still, and its sockets stay open. */
    freeze: () => {
      signal('SIGSTOP');
    },
    thaw: () => {
      signal('SIGCONT');
    },
    close: async () => {
      await kill();
      await rm(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

/** Copies a server's folder as a base backup does, with a slot that keeps the log from then on. */
async function copyFrom({ folder, superuserUrl }: Primary, cluster: string, slot: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_create_physical_replication_slot($1, true)', [slot]);
    await client.query('SELECT pg_backup_start($1, true)', [slot]);
    await mkdir(cluster, { mode: 0o700 });
    for (const name of await readdir(folder)) {
      if (!left.test(name)) await cp(join(folder, name), join(cluster, name), { recursive: true });
    }
    for (const name of ['pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_dynshmem', 'pg_notify'])
      await mkdir(join(cluster, name), { mode: 0o700 });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}
