import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.js';

/**
 * The key that all secrets of the house are derived from: `MASTER_KEY`, or, for one process on its own data folder, a key
 * made there once. Whoever loses it loses every session and every sealed answer, but no data.
 */
export function readMasterKey(config: Pick<Config, 'masterKey' | 'dataDir'>): Buffer {
  if (config.masterKey !== undefined) return config.masterKey;
  const file = join(config.dataDir, 'master.key');
  mkdirSync(config.dataDir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  chmodSync(file, 0o600);
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== 32)
    throw new Error(
      `${file} does not hold 32 bytes in Base64. Put the right key back, or remove the file to begin anew`,
    );
  return key;
}
