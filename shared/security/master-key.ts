import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../kernel/config.js';
import { createKeyRing, type KeyRing } from './crypto.js';
import { openDataFolder } from '../kernel/data-folder.js';

type Where = Pick<Config, 'masterKey' | 'masterKeyPrevious' | 'dataDir'>;

/**
 * The ring of `MASTER_KEY` and `MASTER_KEY_PREVIOUS`, or for a single process of a key generated once in its folder. Losing it means losing every
 * session and every sealed value.
 */
export function openKeyRing(config: Where): KeyRing {
  if (config.masterKey !== undefined) return createKeyRing(config.masterKey, config.masterKeyPrevious);
  const { present, previous } = filesOf(config);
  openDataFolder(config.dataDir);
  if (!existsSync(present)) writeFileSync(present, newKey(), { mode: 0o600, flag: 'wx' });
  return createKeyRing(readKey(present), existsSync(previous) ? readKey(previous) : undefined);
}

/** Writes a new key and keeps the old one beside it, unless an interrupted call did. A kill at any moment loses no key. */
export function replaceKeyFile(config: Where): void {
  const { present, previous } = filesOf(config);
  openKeyRing(config);
  const begun = existsSync(previous) && !readKey(previous).equals(readKey(present));
  if (begun) return;
  writeWhole(previous, readFileSync(present, 'utf8'));
  writeWhole(present, newKey());
}

/** Removes the previous key, under which no value is sealed now. */
export function forgetPreviousFile(config: Where): void {
  rmSync(filesOf(config).previous, { force: true });
}

function filesOf({ dataDir }: Where) {
  return { present: join(dataDir, 'master.key'), previous: join(dataDir, 'master.key.previous') };
}

const newKey = () => randomBytes(32).toString('base64');

function writeWhole(file: string, text: string): void {
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(`${file}.new`, file);
}

function readKey(file: string): Buffer {
  chmodSync(file, 0o600);
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== 32)
    throw new Error(
      `${file} does not contain 32 bytes in Base64. Restore the right key, or remove the file to begin with a new one`,
    );
  return key;
}
