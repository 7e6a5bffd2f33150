import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { openTestDatabase } from '../kit/database.js';
import { build, killGroup, newDataFolder, startProgram } from '../start/program.js';

/** Whether attacks have their whole size and length; otherwise they are bounded for CI. */
export const full = process.env['HOSTILE_FULL'] === '1';

/** The memory that the program may take under any attack, in bytes: 500 MiB, and what V8 collects late on a busy machine. */
export const maxResidentBytes = 640 * 1_048_576;

/** The started program, with default limits, on a database of its own. */
export type Target = Awaited<ReturnType<typeof openTarget>>;

/** Whether an attack left the program as it was: alive, small, and without an error in its log. */
export async function expectUnharmed(target: Target): Promise<void> {
  expect(await target.lives()).toBe(true);
  expect(target.memory().peak).toBeLessThan(maxResidentBytes);
  expect(target.errors()).toEqual([]);
}

export interface TargetOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** `demo` (the default) holds the demo's data, `empty` none. */
  readonly template?: 'demo' | 'empty';
}

/** Starts the built program with default limits, and waits until it answers. */
export async function openTarget({ env = {}, template = 'demo' }: TargetOptions = {}) {
  await build();
  const database = await openTestDatabase({ template, poolSize: 2 });
  const folder = await newDataFolder();
  const program = startProgram({ env: { DATA_DIR: folder.dataDir, DATABASE_URL: database.url, ...env } });
  const close = async () => {
    await killGroup(program);
    await database.close();
    await folder.remove();
  };
  const url = await program.ready.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const pid = String(program.child.pid);
  const ended = () => program.child.exitCode !== null || program.child.signalCode !== null;
  const forgetPeak = () => {
    // Elsewhere than on Linux, or without the right to it, the peak is that since the start.
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
    } catch {
      return;
    }
  };
  // What the program gives back after its start takes as much memory again for a moment. Once it answers, that is over.
  await fetch(`${url}/healthz`);
  forgetPeak();
  return {
    url: url.replace('localhost', '127.0.0.1'),
    port: Number(new URL(url).port),
    database,
    program,
    /** Resident memory in bytes: now, and the highest since `forgetPeak`. Linux only: elsewhere both are 0. */
    memory: () => ({ now: statusBytes(pid, 'VmRSS'), peak: statusBytes(pid, 'VmHWM') }),
    forgetPeak,
    /** The value of a metric without labels, or the sum over its labels; 0 where there is none. */
    metric: async (name: string) => sumOf(await (await fetch(`${url}/metrics`)).text(), name),
    /** The lines of its log at level error or above, each cut to 400 characters. */
    errors: () =>
      program
        .output()
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line))
        .map((line) => line.slice(0, 400)),
    /** Whether the process is the one that was started, and answers. */
    lives: async () => !ended() && (await fetch(`${url}/healthz`).catch(() => undefined))?.status === 200,
    close,
  };
}

function statusBytes(pid: string, field: string): number {
  try {
    const kilobytes = new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function sumOf(text: string, name: string): number {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/** What a quiet caller saw. */
export interface Calm {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** How often each status came; 0 counts requests that got no response. */
  readonly statuses: Readonly<Record<number, number>>;
}

export type QuietCaller = ReturnType<typeof callQuietly>;

export interface QuietOptions {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly perSecond?: number;
}

/** Networks from which quiet callers come in turn, so that their own rate limits do not stop them: all of 127.0.0.0/8 is loopback on Linux. */
const quietNetworks = 20;
/** A response that takes longer counts as none. */
const quietTimeoutMs = 20_000;

/**
 * Asks evenly, whatever becomes of earlier requests, from other networks than the attacker's 127.0.0.1. A latency counts
 * from the moment at which its request was due.
 */
export function callQuietly(
  target: Pick<Target, 'port'>,
  { path = '/public/tranches?limit=1', headers = {}, perSecond = 20 }: QuietOptions = {},
) {
  const agents = Array.from(
    { length: quietNetworks },
    (_, index) => new Agent({ keepAlive: true, localAddress: `127.0.1.${index + 1}` }),
  );
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const sent: Promise<void>[] = [];
  const ask = (agent: Agent | undefined) =>
    new Promise<number>((resolve) => {
      const asked = request({ port: target.port, host: '127.0.0.1', path, headers, agent, timeout: quietTimeoutMs });
      asked.once('timeout', () => asked.destroy());
      asked.once('error', () => {
        resolve(0);
      });
      asked.once('response', (response) => {
        const { statusCode = 0 } = response;
        response.resume().once('close', () => {
          resolve(response.complete ? statusCode : 0);
        });
      });
      asked.end();
    });
  let stopped = false;
  const begun = performance.now();
  const run = async () => {
    for (let index = 0; !stopped; index += 1) {
      const due = begun + (index * 1000) / perSecond;
      await sleep(Math.max(0, due - performance.now()));
      sent.push(
        ask(agents[index % agents.length]).then((status) => {
          statuses[status] = (statuses[status] ?? 0) + 1;
          latencies.push(performance.now() - due);
        }),
      );
    }
  };
  const running = run();
  return {
    /** Stops asking, waits for the responses that are due, and says what was seen. */
    stop: async () => {
      stopped = true;
      await running;
      await Promise.all(sent);
      for (const agent of agents) agent.destroy();
      const sorted = latencies.toSorted((left, right) => left - right);
      const quantile = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
      return {
        requests: sorted.length,
        p50Ms: quantile(0.5),
        p99Ms: quantile(0.99),
        slowestMs: sorted.at(-1) ?? 0,
        statuses,
      };
    },
  };
}

/** Lets a quiet caller ask for a while and nobody else. */
export async function quietTime(target: Pick<Target, 'port'>, ms: number, options: QuietOptions = {}): Promise<Calm> {
  const caller = callQuietly(target, options);
  await sleep(ms);
  return caller.stop();
}
