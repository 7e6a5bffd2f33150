import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { testMasterKey } from '../kit/context.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const loader = `data:text/javascript,import{register}from"node:module";register("file://${root}tests/kit/typescript-loader.mjs")`;

/** Background work as a process of its own, on a database; that of webhooks, when no other program is named. */
export async function startWorker(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  program = 'tests/webhooks/worker.ts',
): Promise<{ kill(): Promise<void> }> {
  const master = testMasterKey.toString('base64');
  const child = spawn(process.execPath, ['--import', loader, program, databaseUrl, master], {
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
