import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { testMasterKey } from '../kit/context.js';

/** The background work of webhooks as a process of its own, on a database. */
export async function startWorker(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ kill(): Promise<void> }> {
  const master = testMasterKey.toString('base64');
  const args = ['--import', './tests/kit/typescript.mjs', 'tests/webhooks/worker.ts', databaseUrl, master];
  const child = spawn(process.execPath, args, {
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
