import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Manager } from '../../shared/database/manager.js';
import { until } from './until.js';

const root = new URL('../../', import.meta.url);

export const moduleAt = (path: string) => JSON.stringify(new URL(path, root).href);

const loader = `import { register } from 'node:module'; register(${moduleAt('tests/kit/typescript-loader.mjs')}); await import(${moduleAt('bootstrap/registry.ts')});`;

/**
 * Runs a program in a process of its own, and kills it as a machine kills once a moment is reached. Its connections to the database of
 * `manager` have the application name `killed`; they have ended when this returns.
 * @returns whether the program still ran when it was killed
 */
export async function killWhen(
  manager: Manager,
  program: string,
  args: readonly string[],
  reached: () => Promise<boolean>,
): Promise<boolean> {
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(loader)}`, '--input-type=module'];
  const child = spawn(process.execPath, [...flags, '-e', program, '--', ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  // oxlint-disable-next-line house/until -- until looks too seldom for a moment that is as short as this one.
  while (!(await reached()) && child.exitCode === null) await sleep(2);
  const isRunning = child.exitCode === null;
  child.kill('SIGKILL');
  await ended;
  // PostgreSQL ends the statement that was under way first: until then the locks of the dead connections stand.
  const connections = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'killed'`;
  await until(
    'the connections of the killed process to end',
    async () => (await manager.rows(connections)).length === 0,
  );
  return isRunning;
}
