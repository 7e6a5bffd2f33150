import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What is in a folder that this program has used before. */
const ownEntries = ['postgres', 'master.key', 'demo-credentials.json'];
const closedMode = 0o700;

/**
 * Makes the folder of the program's data, which nobody but its owner may enter, and closes one of before that others may. A folder
 * with nothing of ours in it (`/tmp`, a home) keeps its mode: every secret file in it is closed on its own.
 */
export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: closedMode });
  const { mode, uid } = statSync(folder);
  const self = process.getuid?.();
  const mayClose = self === 0 || self === uid;
  if ((mode & 0o077) !== 0 && mayClose && ownEntries.some((entry) => existsSync(join(folder, entry))))
    chmodSync(folder, closedMode);
}
