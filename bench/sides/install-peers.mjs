import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from '../kit/processes.mjs';

/** The package of the peers, which are not dependencies of the program. */
export const peerFolder = fileURLToPath(new URL('../peer', import.meta.url));

/** Installs the peers from their own lockfile, unless everything that they depend on is installed. */
export async function installPeers() {
  const { dependencies } = JSON.parse(readFileSync(join(peerFolder, 'package.json'), 'utf8'));
  if (Object.keys(dependencies).every((name) => existsSync(join(peerFolder, 'node_modules', name)))) return;
  process.stderr.write('Installing what we compare with into bench/peer …\n');
  const args = ['ci', '--prefix', peerFolder, '--no-audit', '--no-fund', '--loglevel=error'];
  await runProcess({ command: 'npm', args });
}
