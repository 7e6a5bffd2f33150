import { spawn, type ChildProcess } from 'node:child_process';
import { open, rename, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Socket } from 'node:net';
import { environment, pathOfWorkingFolder, type Account } from './embedded-account.js';
import type { Binaries } from './embedded-binaries.js';
import { clusterName, readPidFile } from './embedded-takeover.js';

export interface LaunchOptions {
  readonly cluster: string;
  readonly logFile: string;
  readonly port: number;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly durable: boolean;
  readonly log: (message: string) => void;
}

export type Server =
  | {
      readonly state: 'ready';
      /** Resolves with the reason when the server has exited, for whatever cause. */
      readonly exited: Promise<string>;
      stop(): Promise<void>;
    }
  | { readonly state: 'port taken' | 'locked' | 'failed'; readonly reason: string };

const logLimitBytes = 20 * 1024 * 1024;
const startTimeoutMs = 120_000;
const fastStopMs = 4_500;

/** Sized for a small machine. Crash recovery replays at most `max_wal_size`, so a start after a kill stays quick. */
const settings = [
  'listen_addresses=127.0.0.1',
  // In the cluster's folder, for its owner: a statement costs less over it than over TCP.
  'unix_socket_directories=.',
  'unix_socket_permissions=0700',
  'max_connections=60',
  'shared_buffers=128MB',
  'effective_cache_size=512MB',
  'max_wal_size=256MB',
  'random_page_cost=1.1',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  // Details of an error contain the values of the row (an e-mail, a tax id): they stay out of the log.
  'log_error_verbosity=terse',
];
/** For tests: nothing has to survive a crash, and many platforms open their pools on one server. */
const careless = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=300'];

/** Starts the server and waits until it accepts connections, including a crash recovery. */
export async function launch(options: LaunchOptions): Promise<Server> {
  const logStart = await rotate(options.logFile);
  const { child, ended } = await spawnServer(options);
  const exited = ended.then(async (how) => {
    const text = await endOfLog(options.logFile, logStart);
    return `PostgreSQL ended with ${how}. ${text === '' ? '' : `The end of its log: ${text} `}(log: ${options.logFile})`;
  });
  const reason = await untilReady(child, exited, options);
  if (reason === undefined) return { state: 'ready', exited, stop: () => stop(child, exited) };
  const text = await endOfLog(options.logFile, logStart);
  const known = text.includes('could not create any TCP/IP sockets')
    ? 'port taken'
    : text.includes('"postmaster.pid" already exists')
      ? 'locked'
      : 'failed';
  return { state: known, reason };
}

async function spawnServer({
  cluster,
  logFile,
  port,
  binaries,
  account,
  durable,
}: LaunchOptions): Promise<{ readonly child: ChildProcess; readonly ended: Promise<string> }> {
  const chosen = [
    `cluster_name=${await clusterName(cluster)}`,
    `port=${port}`,
    ...settings,
    ...(durable ? [] : careless),
  ];
  const log = await open(logFile, 'a', 0o600);
  try {
    const args = ['-D', pathOfWorkingFolder(account, cluster), ...chosen.flatMap((one) => ['-c', one])];
    const child = spawn(binaries.postgres, args, {
      cwd: cluster,
      env: environment,
      ...account.switchTo,
      // Directly into the file, not through this process, so that the server can keep writing when this process is gone.
      stdio: ['ignore', log.fd, log.fd],
      // In a process group of its own, or Ctrl-C in a terminal would take the database away from requests that are still running.
      detached: true,
    });
    // Listens from the first moment on: a server that finds another one in its place exits before our log file is closed.
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ?? `code ${String(code)}`));
    });
    // However this process exits, as long as it gets to run its exit handlers, the server exits with it.
    const goWithUs = () => child.kill('SIGINT');
    process.once('exit', goWithUs);
    child.once('exit', () => process.removeListener('exit', goWithUs));
    if (child.pid !== undefined) child.once('exit', watchOver(child.pid, account));
    return { child, ended };
  } finally {
    await log.close();
  }
}

/** Returns undefined as soon as the server accepts connections, otherwise the reason why it does not. */
async function untilReady(
  child: ChildProcess,
  exited: Promise<string>,
  { cluster, log }: LaunchOptions,
): Promise<string | undefined> {
  const begun = Date.now();
  let nextWord = begun + 3_000;
  for (;;) {
    const ended = await Promise.race([exited, sleep(15, undefined)]);
    if (ended !== undefined) return ended;
    const pidFile = await readPidFile(cluster);
    if (pidFile?.pid === child.pid && pidFile?.status === 'ready') return undefined;
    if (Date.now() > nextWord) {
      log('PostgreSQL is still recovering from a crash.');
      nextWord += 5_000;
    }
    if (Date.now() > begun + startTimeoutMs) {
      await stop(child, exited);
      return `PostgreSQL was not ready after ${startTimeoutMs / 1000} seconds.`;
    }
  }
}

/** Fast shutdown: sessions end, a checkpoint is written. If that takes too long, the next start recovers instead. */
async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', fastStopMs],
    ['SIGQUIT', 2_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    child.kill(signal);
    const waiting = new AbortController();
    await Promise.race([exited, sleep(waitMs, undefined, { signal: waiting.signal }).catch(() => undefined)]);
    waiting.abort();
  }
}

/** Keeps one older log when the log has grown too large. @returns the position where the next run's lines begin */
async function rotate(logFile: string): Promise<number> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size < logLimitBytes) return size;
  await rename(logFile, `${logFile}.1`);
  return 0;
}

async function endOfLog(logFile: string, from: number): Promise<string> {
  const file = await open(logFile, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - 8_192);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-4).join(' / ');
  } finally {
    await file.close();
  }
}

/** Stops the server `$1` once its standard input closes: fast, immediate after five seconds, by force after three more. Committed work survives. */
const script = `
read -r _
for step in INT:50 QUIT:30 KILL:20; do
  kill -"\${step%:*}" "$1" 2>/dev/null || exit 0
  left=\${step#*:}
  while [ "$left" -gt 0 ]; do
    sleep 0.1
    kill -0 "$1" 2>/dev/null || exit 0
    left=$((left - 1))
  done
done`;

/** Stops the server when this process is gone, also by SIGKILL: its pipe closes. @returns stops the watchdog, once the server has exited */
export function watchOver(serverPid: number, account: Account): () => void {
  const watchdog = spawn('/bin/sh', ['-c', script, 'lastro-watchdog', String(serverPid)], {
    // A folder that every account may enter.
    cwd: '/',
    env: environment,
    // The server's own user, who may signal it.
    ...account.switchTo,
    // Only this process holds the other end: Node passes none of its pipes to other children.
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a process group of its own: neither Ctrl-C nor the end of our whole group may stop it before it has done its work.
    detached: true,
  });
  // Without a shell there is no watchdog; the next start then finds the server, as it does after a power loss.
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return () => watchdog.kill('SIGKILL');
}
