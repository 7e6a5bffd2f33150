import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answers, freePort, runProcess, startProcess } from '../kit/processes.mjs';

const peer = fileURLToPath(new URL('../peer', import.meta.url));

/** Installs the peer from its own lockfile, unless everything that it depends on is installed. */
export async function installHive() {
  const { dependencies } = JSON.parse(readFileSync(join(peer, 'package.json'), 'utf8'));
  if (Object.keys(dependencies).every((name) => existsSync(join(peer, 'node_modules', name)))) return;
  process.stderr.write('Installing Hive Gateway into bench/peer …\n');
  await runProcess({ command: 'npm', args: ['ci', '--prefix', peer, '--no-audit', '--no-fund', '--loglevel=error'] });
}

/** Starts Hive Gateway in front of subgraphs that respond over HTTP, with its defaults but for the given flags. */
export async function startHive(folder, supergraph, { name = 'hive', flags = [] } = {}) {
  const port = await freePort();
  const file = join(folder, `${name}.graphql`);
  writeFileSync(file, supergraph);
  const bin = join(peer, 'node_modules/@graphql-hive/gateway/dist/bin.js');
  const running = await startProcess({
    name,
    args: [bin, 'supergraph', file, '--host', '127.0.0.1', '--port', String(port), ...flags],
    env: { NODE_ENV: 'production' },
    cwd: peer,
    folder,
    ready: () => answers(`http://127.0.0.1:${port}/readiness`),
  });
  return { ...running, url: `http://127.0.0.1:${port}/graphql` };
}
