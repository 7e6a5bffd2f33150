import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers, freePort, startProcess } from '../kit/processes.mjs';
import { peerFolder } from './install-peers.mjs';

/** Starts Hive Gateway in front of subgraphs that respond over HTTP, with its defaults but for the given flags. */
export async function startHive(folder, supergraph, { name = 'hive', flags = [] } = {}) {
  const port = await freePort();
  const file = join(folder, `${name}.graphql`);
  writeFileSync(file, supergraph);
  const bin = join(peerFolder, 'node_modules/@graphql-hive/gateway/dist/bin.js');
  const running = await startProcess({
    name,
    args: [bin, 'supergraph', file, '--host', '127.0.0.1', '--port', String(port), ...flags],
    env: { NODE_ENV: 'production' },
    cwd: peerFolder,
    folder,
    ready: () => answers(`http://127.0.0.1:${port}/readiness`),
  });
  return { ...running, url: `http://127.0.0.1:${port}/graphql` };
}
