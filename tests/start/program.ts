import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stopOrphans } from '../../shared/database/embedded-takeover.js';
import { until } from '../kit/until.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** A start with the demo takes ten seconds, and minutes on a machine that is busy with other things. */
const startLimitMs = 270_000;
/** How `npm start` runs Node: without the bound V8 collects later, and the program takes more memory. */
const nodeFlags = ['--max-old-space-size=1024'];

export type Program = ReturnType<typeof startProgram>;

export interface StartOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Through `npm start`, which builds first; otherwise the built program directly. */
  readonly npm?: boolean;
  /** Instead of dist/main.js: the arguments of Node for another program, which writes its base address with `/readyz` behind it. */
  readonly program?: readonly string[];
  readonly uid?: number;
}

/** Brings dist/ up to date, for the programs that do not come through npm. */
export async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build.mjs'), '--quiet']);
}

/** Starts the whole program, in a process group of its own, with none of this run's configuration but `env`. */
export function startProgram({ env, npm = false, program = ['dist/main.js'], uid }: StartOptions) {
  const [command, args] = npm ? ['npm', ['start']] : [process.execPath, [...nodeFlags, ...program]];
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DEMO: 'false', PORT: '0', ...env },
    ...(uid === undefined ? {} : { uid, gid: uid }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode }));
  const ready = untilReady(() => output, ended);
  // A test that expects the end does not look at it.
  ready.catch(() => undefined);
  return {
    child,
    output: () => output /** The base address that the welcome names; rejects when the program ends before. */,
    ready,
    ended,
  };
}

async function untilReady(output: () => string, ended: Promise<unknown>): Promise<string> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  const address = () => /(http:\S+)\/readyz/.exec(output())?.[1];
  const isDecided = () => {
    if (isOver || address() !== undefined) return true;
    throw new Error(output());
  };
  await until('the program to be ready', isDecided, { within: startLimitMs });
  const url = address();
  if (url === undefined) throw new Error(`The program has ended:\n${output()}`);
  return url;
}

/** Ends a program and everything in its group, as a crash would. The database's server is in a group of its own and lives on. */
export async function killGroup({ child, ended }: Program): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, 'SIGKILL');
  await ended;
}

/** A new data folder, and what removes it, with a server that may still run on it. */
export async function newDataFolder(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const base = await mkdtemp(join(tmpdir(), 'lastro-start-'));
  const dataDir = join(base, 'data');
  return {
    dataDir,
    remove: async () => {
      await stopOrphans(join(dataDir, 'postgres'), () => undefined);
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** The process of the database's server on a data folder, as its lock file names it. */
export async function serverPid(dataDir: string): Promise<number | undefined> {
  const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => undefined);
  return lock === undefined ? undefined : Number(lock.split('\n')[0]);
}
