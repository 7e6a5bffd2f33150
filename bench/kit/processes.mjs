import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The processes that this run has started and not yet stopped, latest first. */
const running = [];

/**
 * Starts a program and waits until `ready` returns true.
 * @param {{name: string, command?: string, args: string[], env?: Record<string, string>, cwd?: string, folder: string, ready: () => Promise<boolean>,
 *   timeoutMs?: number}} options `folder` receives its log
 */
export async function startProcess({ name, command, args, env, cwd, folder, ready, timeoutMs = 180_000 }) {
  const logFile = join(folder, `${name}-${Date.now()}.log`);
  const log = openSync(logFile, 'a');
  const startedAt = performance.now();
  const child = spawn(command ?? process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const exited = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
    child.once('error', (error) => resolve(error.message));
  });
  let over;
  void exited.then((reason) => (over = reason));
  const started = { name, pid: child.pid, exited, stop: () => stop(child, exited) };
  running.unshift(started);
  void exited.then(() => running.splice(running.indexOf(started), 1));
  const fail = (reason) => new Error(`${name} ${reason}. The end of its log:\n${tail(logFile)}`);
  while (!(await ready().catch(() => false))) {
    if (over !== undefined) throw fail(`ended (${over}) before it was ready`);
    if (performance.now() - startedAt > timeoutMs) throw fail(`was not ready within ${timeoutMs / 1000} s`);
    await sleep(20);
  }
  return { ...started, startupMs: performance.now() - startedAt };
}

/** Returns the last failures in the logs of this folder, for the analysis of a failed run. */
export function failuresIn(folder) {
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
  const lines = logs.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return lines.filter((line) => /"level":[56]0/.test(line)).slice(-3);
}

/** Stops all processes that still run, latest first. */
export async function stopAll() {
  for (const started of [...running]) await started.stop();
}

/** Runs a program to completion. @throws with its output when it exits with a code other than 0 */
export async function runProcess({ args, env, cwd, command, onSpawn }) {
  const child = spawn(command ?? process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const startedAt = performance.now();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exited = new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
  running.unshift({ stop: () => stop(child, exited) });
  const entry = running[0];
  onSpawn?.(child.pid);
  const code = await exited.finally(() => running.splice(running.indexOf(entry), 1));
  if (code !== 0) throw new Error(`${basename(args[0] ?? '')} ended with ${code}:\n${output.slice(-2000)}`);
  return { output, seconds: (performance.now() - startedAt) / 1000 };
}

async function stop(child, exited) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const ended = await Promise.race([exited.then(() => true), sleep(15_000, false, { ref: false })]);
  if (ended) return;
  child.kill('SIGKILL');
  await exited;
}

function tail(file) {
  return readFileSync(file, 'utf8').split('\n').slice(-20).join('\n');
}

/** Returns a loopback port that is currently free. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Whether a URL responds with 2xx. */
export async function answers(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  await response.arrayBuffer();
  return response.ok;
}
