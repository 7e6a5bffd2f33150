import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answers, freePort, runProcess, startProcess } from '../kit/processes.mjs';

const peer = fileURLToPath(new URL('../peer', import.meta.url));

/** Installs the peer from its own lockfile, unless it is installed. */
export async function installHive() {
  if (existsSync(join(peer, 'node_modules/.package-lock.json'))) return;
  process.stderr.write('Installing Hive Gateway into bench/peer …\n');
  await runProcess({ command: 'npm', args: ['ci', '--prefix', peer, '--no-audit', '--no-fund', '--loglevel=error'] });
}

/** Starts Hive Gateway with its defaults in front of subgraphs that respond over HTTP. */
export async function startHive(folder, supergraph) {
  const port = await freePort();
  const file = join(folder, 'supergraph.graphql');
  writeFileSync(file, supergraph);
  const bin = join(peer, 'node_modules/@graphql-hive/gateway/dist/bin.js');
  const running = await startProcess({
    name: 'hive',
    args: [bin, 'supergraph', file, '--host', '127.0.0.1', '--port', String(port)],
    env: { NODE_ENV: 'production' },
    cwd: peer,
    folder,
    ready: () => answers(`http://127.0.0.1:${port}/readiness`),
  });
  return { ...running, url: `http://127.0.0.1:${port}/graphql` };
}
