import { randomBytes } from 'node:crypto';
import { readFile, realpath, stat, chown, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataFolder } from '../kernel/data-folder.js';
import { accountFor, pathOfWorkingFolder, runAs, type Account } from './embedded-account.js';
import { findBinaries, type Binaries } from './embedded-binaries.js';
import { launch, type Server } from './embedded-server.js';
import { liveOwner, readPidFile, removeStaleLock, stopOrphans } from './embedded-takeover.js';

export interface Embedded {
  /** URL with user and password, for any PostgreSQL client. */
  readonly url: string;
  /** Fast shutdown, which takes a few seconds at most; resolves when the server is gone. May be called twice. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The program's data folder; created if missing. The cluster is in its `postgres`, the server's log in `postgres.log`. */
  readonly dataDir: string;
  /** Receives a sentence for each notable event: first start, takeover, recovery. */
  readonly log?: (message: string) => void;
  /** Called each time the server has died and is started again; the reason contains the end of its log. */
  readonly onRestart?: (reason: string) => void;
  /** Called once if the server exits without having been stopped and is not started again. */
  readonly onExit?: (reason: string) => void;
  /** How long to wait for another process on this folder that may be about to exit; 5,000 ms by default. */
  readonly patienceMs?: number;
  /** `false` trades safety on power loss for speed. For tests only. */
  readonly durable?: boolean;
}

type Ready = Extract<Server, { state: 'ready' }>;

const user = 'lastro';
const database = 'postgres';
const attempts = 5;
/** A server that dies more often than this has a cause that another start does not remove. */
const restarts = { most: 3, withinMs: 600_000 };

/**
 * Starts npm's PostgreSQL on a folder, on a free loopback port, under root as another user. An orphan is stopped first; its committed work is recovered.
 * @throws Error when another live process uses the folder, or the server cannot start; the message says what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const log = options.log ?? (() => undefined);
  const durable = options.durable ?? true;
  openDataFolder(options.dataDir);
  const folder = await realpath(options.dataDir);
  const logFile = join(folder, 'postgres.log');
  const cluster = await clusterIn(folder);
  await waitForOwner(cluster, options.patienceMs ?? 5_000, log);
  await refuseWhenLive(folder, cluster);

  const account = await accountFor(cluster);
  const binaries = await findBinaries(account, log);
  await ensureCluster({
    cluster,
    user,
    password: randomBytes(24).toString('base64url'),
    binaries,
    account,
    durable,
    log,
  });
  await stopOrphans(cluster, log);
  await refuseWhenLive(folder, cluster);

  const begin = async (fixedPort?: number): Promise<Ready & { port: number }> => {
    for (let attempt = 1; ; attempt++) {
      const port = fixedPort ?? (await freePort());
      const server = await launch({ cluster, logFile, port, binaries, account, durable, log });
      if (server.state === 'ready') return { ...server, port };
      await refuseWhenLive(folder, cluster);
      const curable = server.state === 'port taken' || (server.state === 'locked' && (await removeStaleLock(cluster)));
      if (!curable || attempt === attempts) throw new Error(server.reason);
      await sleep(200);
    }
  };
  const first = await begin();
  const beginAgain = async () => {
    await stopOrphans(cluster, log);
    return begin(first.port);
  };
  return keepRunning(first, beginAgain, await addressOf(cluster, first.port), options);
}

/** Returns the URL of the server that another live process runs on this data folder; undefined when there is none ready. */
export async function findEmbedded(dataDir: string): Promise<string | undefined> {
  const cluster = await clusterIn(dataDir);
  if ((await liveOwner(cluster)) === undefined) return undefined;
  const pidFile = await readPidFile(cluster);
  return pidFile?.status === 'ready' ? await addressOf(cluster, pidFile.port) : undefined;
}

/** Returns the cluster's folder; if it is a link (to another disk, for example), its target. */
async function clusterIn(folder: string): Promise<string> {
  const cluster = join(folder, 'postgres');
  return await realpath(cluster).catch(() => cluster);
}

/** Waits for a process that is shutting down: it still finishes its requests when its successor starts. */
async function waitForOwner(cluster: string, patienceMs: number, log: (message: string) => void): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (let reported = false; Date.now() < deadline; reported = true) {
    const owner = await liveOwner(cluster);
    if (owner === undefined) return;
    if (!reported) log(`Process ${owner} uses this data folder; waiting in case it is about to exit.`);
    await sleep(100);
  }
}

async function refuseWhenLive(folder: string, cluster: string): Promise<void> {
  const owner = await liveOwner(cluster);
  if (owner === undefined) return;
  throw new Error(
    `The data folder ${folder} is in use by process ${owner}. Stop that process first, ` +
      'or start this one with another DATA_DIR (and another PORT).',
  );
}

/** Starts a server that dies again, on the same port, so that its address stays. */
function keepRunning(
  first: Ready,
  beginAgain: () => Promise<Ready>,
  url: string,
  { onRestart, onExit }: EmbeddedOptions,
): Embedded {
  let current = Promise.resolve(first);
  let stopping: Promise<void> | undefined;
  let recent: number[] = [];
  const watch = async ({ exited }: Ready): Promise<void> => {
    const reason = await exited;
    if (stopping !== undefined) return;
    recent = recent.filter((at) => at > Date.now() - restarts.withinMs);
    if (recent.length === restarts.most) {
      onExit?.(reason);
      return;
    }
    recent.push(Date.now());
    onRestart?.(reason);
    current = beginAgain();
    await current.then(watch, (error: unknown) => onExit?.(error instanceof Error ? error.message : reason));
  };
  void watch(first);
  return {
    url,
    stop: () =>
      (stopping ??= current.then(
        (server) => server.stop(),
        () => undefined,
      )),
  };
}

async function addressOf(cluster: string, port: number): Promise<string> {
  const password = await readFile(join(cluster, 'password'), 'utf8');
  const url = new URL(`postgresql://${user}:${password}@127.0.0.1:${port}/${database}`);
  const isInReach = Buffer.byteLength(join(cluster, `.s.PGSQL.${port}`)) <= longestSocketPath;
  if (isInReach && isOurs(await stat(cluster))) url.searchParams.set('host', cluster);
  return url.href;
}

/** The length of a Unix socket path that every system supports. */
const longestSocketPath = 103;

/** Whether this process may use files restricted to their owner. */
function isOurs({ uid }: { readonly uid: number }): boolean {
  const own = process.getuid?.();
  return own === 0 || own === uid;
}

/** Returns a currently free loopback port. Another process may take it before the server does: the caller tries again. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('This machine has no free loopback port.'));
      });
    });
  });
}

export interface ClusterOptions {
  /** The cluster's folder; it exists only when the cluster is complete. */
  readonly cluster: string;
  /** Name and password of the superuser of a new cluster. The password is stored in the cluster's file `password`. */
  readonly user: string;
  readonly password: string;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly durable: boolean;
  readonly log: (message: string) => void;
}

/** Creates the cluster if there is none, under another name that is then renamed, so that a kill never leaves a partial one. */
async function ensureCluster(options: ClusterOptions): Promise<void> {
  if (await exists(options.cluster)) return;
  options.log(`Making a new PostgreSQL cluster in ${options.cluster}.`);
  const parent = dirname(options.cluster);
  const work = await mkdtemp(`${options.cluster}.new-`);
  try {
    await initialise(work, options);
    await rename(work, options.cluster);
    if (options.durable) await syncFolder(parent);
  } catch (error) {
    await removeFolder(work);
    // Another process that started at the same moment was faster. Its cluster is just as good, and the server's own lock decides which process runs it.
    if (!(await exists(options.cluster))) throw error;
  }
  await removeUnfinished(parent, basename(options.cluster));
}

async function initialise(
  folder: string,
  { user, password, binaries, account, durable }: ClusterOptions,
): Promise<void> {
  if (account.switchTo !== undefined) await chown(folder, account.switchTo.uid, account.switchTo.gid);
  const path = pathOfWorkingFolder(account, folder);
  const secret = await openSecret(`${folder}-password`, password, account);
  try {
    await runAs(
      account,
      binaries.initdb,
      [
        ...['-D', path, '-U', user, '--pwfile=/dev/stdin', '--auth=scram-sha-256', '--data-checksums', '--no-sync'],
        // PostgreSQL's own locale: code-point order and Unicode case rules, the same on every machine.
        ...[
          '--encoding=UTF8',
          '--locale=C',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          '--no-instructions',
        ],
      ],
      { cwd: folder, stdin: secret.fd },
    );
  } finally {
    await secret.close();
  }
  await writeFile(join(folder, 'password'), password, { mode: 0o600, flush: true });
  if (account.switchTo !== undefined) await chown(join(folder, 'password'), account.switchTo.uid, account.switchTo.gid);
  if (durable) await runAs(account, binaries.initdb, ['-D', path, '--sync-only'], { cwd: folder });
}

/** Opens an unlinked file that holds the password, for a program whose user cannot reach our folders. */
async function openSecret(name: string, password: string, account: Account) {
  const file = await open(name, 'wx+', 0o600);
  await rm(name);
  if (account.switchTo !== undefined) await file.chown(account.switchTo.uid, account.switchTo.gid);
  // An explicit position keeps the file's own position, which the program inherits, at the beginning.
  await file.write(password, 0);
  return file;
}

async function removeUnfinished(parent: string, cluster: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(`${cluster}.new-`)) await removeFolder(join(parent, name));
  }
}

/** Retries when the folder turns out not to be empty: a concurrent process may still be filling the one it lost the race with. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
