import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The programs of a cluster with failover, and what they need in their environment. */
export interface PatroniTools {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
  /** The folder of the programs of PostgreSQL. */
  readonly postgres: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What is brought once, for later runs: nothing is installed on the machine. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/patroni', import.meta.url));
const packages = ['etcd-server', 'haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'];
/** The account of PostgreSQL and Patroni: neither runs as root. */
export const nobody = 65_534;

/** Finds the programs, or brings those of Debian and of PyPI into a cache. @throws Error that says what is missing */
export function findPatroniTools(): PatroniTools {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('network namespaces need root on Linux');
  for (const name of ['ip', 'iptables', 'nsenter', 'setpriv', 'psql']) need(name);
  const postgres = newestPostgres();
  const debian = join(cache, 'debian');
  const libraries = join(debian, 'usr/lib', `${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`);
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LD_LIBRARY_PATH: libraries };
  const found = {
    patroni: join(cache, 'venv/bin/patroni'),
    etcd: onPath('etcd') ?? join(debian, 'usr/bin/etcd'),
    haproxy: onPath('haproxy') ?? join(debian, 'usr/sbin/haproxy'),
    postgres,
    env,
  };
  if (!existsSync(found.etcd) || !existsSync(found.haproxy)) bringDebian(debian);
  if (!existsSync(found.patroni)) bringPatroni();
  const asNobody = spawnSync(found.patroni, ['--version'], { uid: nobody, gid: nobody, env });
  if (asNobody.status !== 0) throw new Error(`the account nobody cannot run ${found.patroni}`);
  return found;
}

function onPath(name: string): string | undefined {
  const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  return stdout.trim() === '' ? undefined : stdout.trim();
}

function need(name: string): void {
  if (onPath(name) === undefined) throw new Error(`no ${name} on the PATH`);
}

/** Debian's PostgreSQL: the embedded one has neither pg_basebackup nor pg_rewind. */
function newestPostgres(): string {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').map(Number) : [];
  const folders = versions.toSorted((one, other) => other - one).map((it) => `/usr/lib/postgresql/${it}/bin`);
  const folder = folders.find((one) => existsSync(join(one, 'pg_rewind')));
  if (folder === undefined) throw new Error('no PostgreSQL with pg_rewind below /usr/lib/postgresql');
  return folder;
}

function bringDebian(debian: string): void {
  const folder = join(cache, 'packages');
  mkdirSync(folder, { recursive: true });
  execFileSync('apt-get', ['download', '-qq', ...packages], { cwd: folder, stdio: 'ignore' });
  mkdirSync(debian, { recursive: true });
  for (const file of readdirSync(folder)) execFileSync('dpkg-deb', ['-x', join(folder, file), debian]);
}

function bringPatroni(): void {
  const venv = join(cache, 'venv');
  // Not the python3 of the PATH, which may be in a folder that only root can enter.
  execFileSync('/usr/bin/python3', ['-m', 'venv', venv]);
  const args = ['install', '-q', 'patroni[etcd3]==4.1.5', 'psycopg[binary]==3.3.9'];
  execFileSync(join(venv, 'bin/pip'), args, { stdio: 'ignore' });
}
