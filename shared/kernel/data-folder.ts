import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ownEntries = ['postgres', 'master.key', 'demo-credentials.json'];
const closedMode = 0o700;

/** Creates the data folder for its owner only, and restricts an open one of ours. Any other (`/tmp`, a home) keeps its mode. */
export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: closedMode });
  const { mode, uid } = statSync(folder);
  const self = process.getuid?.();
  const mayClose = self === 0 || self === uid;
  if ((mode & 0o077) !== 0 && mayClose && ownEntries.some((entry) => existsSync(join(folder, entry))))
    chmodSync(folder, closedMode);
}
