import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { testMasterKey } from '../kit/context.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const loader = `data:text/javascript,import{register}from"node:module";register("file://${root}tests/kit/typescript-loader.mjs")`;

/** The background work of webhooks as a process of its own, on a database. */
export async function startWorker(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ kill(): Promise<void> }> {
  const master = testMasterKey.toString('base64');
  const child = spawn(process.execPath, ['--import', loader, 'tests/webhooks/worker.ts', databaseUrl, master], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'close');
  await once(child.stdout, 'data');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
