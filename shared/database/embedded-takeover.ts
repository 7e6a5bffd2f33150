import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A PostgreSQL process that works on a cluster: the server itself or one of its children. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly owner: number;
  readonly isServer: boolean;
}

/** `lastro-<owner>-<folder>` in process listings, by which a later start finds them and whether the owner lives; root in a container may not read more. */
export async function clusterName(cluster: string, owner = String(process.pid)): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `lastro-${owner}-${dev.toString(36)}-${ino.toString(36)}`;
}

/** Returns the pid of the process that runs a server on this cluster; undefined when there is none, or when it died and left its server behind. */
export async function liveOwner(cluster: string): Promise<number | undefined> {
  return ownerAmong(await processesOn(cluster));
}

/** Reads the server's pid file; undefined when there is no server, or it has not written the file completely yet. */
export async function readPidFile(cluster: string): Promise<{ pid: number; port: number; status: string } | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , port, , , , status] = text.split('\n');
  return status === undefined ? undefined : { pid: Number(pid), port: Number(port), status: status.trim() };
}

/** Stops processes whose owner was killed: fast, then immediate, then kill, none of which loses committed work. Not with a live owner. */
export async function stopOrphans(cluster: string, log: (message: string) => void): Promise<void> {
  const steps = [
    { signal: 'SIGINT', waitMs: 10_000 },
    { signal: 'SIGQUIT', waitMs: 3_000 },
    { signal: 'SIGKILL', waitMs: 3_000 },
  ] as const;
  for (const { signal, waitMs } of steps) {
    const found = await processesOn(cluster);
    if (found.length === 0 || ownerAmong(found) !== undefined) return;
    log(`Stopping the PostgreSQL that a killed process left behind on this data folder (${signal}).`);
    const servers = found.filter(({ isServer }) => isServer);
    for (const { pid } of servers.length > 0 && signal === 'SIGINT' ? servers : found) sendSignal(pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline && (await processesOn(cluster)).length > 0) await sleep(20);
  }
  if ((await processesOn(cluster)).length > 0)
    throw new Error(`PostgreSQL processes that cannot be stopped still use ${cluster}. Stop them and start again.`);
}

/** Removes the lock file of a server that is gone, whose process id another process may have by now. @returns whether there was one */
export async function removeStaleLock(cluster: string): Promise<boolean> {
  if ((await processesOn(cluster)).length > 0) return false;
  return await rm(join(cluster, 'postmaster.pid')).then(
    () => true,
    () => false,
  );
}

function ownerAmong(processes: readonly Process[]): number | undefined {
  // When an owner dies, the system assigns its children another parent, so a reused process id causes no confusion.
  return processes.find(({ isServer, owner, parent }) => isServer && owner === parent)?.owner;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited in the meantime.
  }
}

async function processesOn(cluster: string): Promise<Process[]> {
  const name = await clusterName(cluster, '(\\d+)').catch(() => undefined);
  if (name === undefined) return [];
  // The server has the name among its arguments; its children have replaced their arguments by a title that begins with it.
  const mark = new RegExp(`(cluster_name=|^postgres: )${name}\\b`);
  return (await allProcesses()).flatMap(({ pid, parent, command }) => {
    const [, place, owner] = mark.exec(command) ?? [];
    return owner === undefined ? [] : [{ pid, parent, owner: Number(owner), isServer: place === 'cluster_name=' }];
  });
}

async function allProcesses(): Promise<{ pid: number; parent: number; command: string }[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,command='], {
      maxBuffer: 64 * 1024 * 1024,
    });
    return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, command]) => {
      return { pid: Number(pid), parent: Number(parent), command: command ?? '' };
    });
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return await Promise.all(
    pids.map(async (pid) => {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
      const [command, status] = await Promise.all([read('cmdline'), read('status')]);
      return { pid: Number(pid), parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]), command };
    }),
  );
}
