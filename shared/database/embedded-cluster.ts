import { chown, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathOfWorkingFolder, runAs, type Account } from './embedded-account.js';
import type { Binaries } from './embedded-binaries.js';

export interface ClusterOptions {
  /** The cluster's folder; it exists only when the cluster is complete. */
  readonly cluster: string;
  /** Name and password of the superuser of a new cluster. The password is stored in the cluster's file `password`. */
  readonly user: string;
  readonly password: string;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly durable: boolean;
  readonly log: (message: string) => void;
}

/** Creates the cluster if there is none, under another name that is then renamed, so that a kill never leaves a partial one. */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  if (await exists(options.cluster)) return;
  options.log(`Making a new PostgreSQL cluster in ${options.cluster}.`);
  const parent = dirname(options.cluster);
  const work = await mkdtemp(`${options.cluster}.new-`);
  try {
    await initialise(work, options);
    await rename(work, options.cluster);
    if (options.durable) await syncFolder(parent);
  } catch (error) {
    await removeFolder(work);
    // Another process that started at the same moment was faster. Its cluster is just as good, and the server's own lock decides which process runs it.
    if (!(await exists(options.cluster))) throw error;
  }
  await removeUnfinished(parent, basename(options.cluster));
}

async function initialise(
  folder: string,
  { user, password, binaries, account, durable }: ClusterOptions,
): Promise<void> {
  if (account.switchTo !== undefined) await chown(folder, account.switchTo.uid, account.switchTo.gid);
  const path = pathOfWorkingFolder(account, folder);
  const secret = await openSecret(`${folder}-password`, password, account);
  try {
    await runAs(
      account,
      binaries.initdb,
      [
        ...['-D', path, '-U', user, '--pwfile=/dev/stdin', '--auth=scram-sha-256', '--data-checksums', '--no-sync'],
        // PostgreSQL's own locale: code-point order and Unicode case rules, the same on every machine.
        ...[
          '--encoding=UTF8',
          '--locale=C',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          '--no-instructions',
        ],
      ],
      { cwd: folder, stdin: secret.fd },
    );
  } finally {
    await secret.close();
  }
  await writeFile(join(folder, 'password'), password, { mode: 0o600, flush: true });
  if (account.switchTo !== undefined) await chown(join(folder, 'password'), account.switchTo.uid, account.switchTo.gid);
  if (durable) await runAs(account, binaries.initdb, ['-D', path, '--sync-only'], { cwd: folder });
}

/** Opens an unlinked file that holds the password, for a program whose user cannot reach our folders. */
async function openSecret(name: string, password: string, account: Account) {
  const file = await open(name, 'wx+', 0o600);
  await rm(name);
  if (account.switchTo !== undefined) await file.chown(account.switchTo.uid, account.switchTo.gid);
  // An explicit position keeps the file's own position, which the program inherits, at the beginning.
  await file.write(password, 0);
  return file;
}

async function removeUnfinished(parent: string, cluster: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(`${cluster}.new-`)) await removeFolder(join(parent, name));
  }
}

/** Retries when the folder turns out not to be empty: a concurrent process may still be filling the one it lost the race with. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
