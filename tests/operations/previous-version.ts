import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { build } from '../start/program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The last migration of each schema in the version before this one. Whoever releases a version brings the list up to it. */
const lastMigrations = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(new URL('previous-version.json', import.meta.url), 'utf8')));

/** Whether a migration came with this version. */
export function isNew(schema: string, name: string): boolean {
  const last = lastMigrations[schema];
  return last === undefined || name > last;
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The files of all migrations, as paths from the root. */
const migrationFiles = (): string[] =>
  git('ls-files', '--', 'shared/database/migrations/*.sql', 'subgraphs/*/migrations/*.sql').split('\n');

function isNewFile(path: string): boolean {
  const [area = '', module = ''] = path.split('/');
  return isNew(area === 'shared' ? area : module.replaceAll('-', '_'), basename(path, '.sql'));
}

/** Returns the last commit without any migration of this version; without a new one, the commit that said so. */
function previousCommit(): string {
  const paths = migrationFiles().filter(isNewFile);
  if (paths.length === 0) return git('log', '-1', '--format=%H', '--', 'tests/operations/previous-version.json');
  // What came by a merge came to this line of versions with the merge.
  const line = ['log', '--first-parent', '--diff-merges=first-parent', '--no-patch', '--reverse', '--format=%H'];
  const [first = ''] = git(...line, '--diff-filter=A', '--', ...paths).split('\n');
  return git('rev-parse', `${first}^`);
}

/** Why the previous version cannot be built here; undefined when it can. */
export function previousMissing(): string | undefined {
  if (spawnSync('git', ['--version']).error !== undefined) return 'no git on the PATH';
  if (!existsSync(join(root, '.git'))) return 'this is no checkout of the repository';
  if (git('rev-parse', '--is-shallow-repository') === 'true')
    return 'the history is cut off: run git fetch --unshallow';
  return undefined;
}

/** A checkout of the version before this one, built. It uses the packages that are installed here. */
export interface PreviousVersion {
  readonly folder: string;
  /** Gives it the migrations of this version, so that its tests make their databases with them. */
  takeMigrations(): void;
  remove(): void;
}

/** Checks the previous version out and builds it. */
export async function openPreviousVersion(): Promise<PreviousVersion> {
  const commit = previousCommit();
  const folder = mkdtempSync(join(tmpdir(), 'lastro-previous-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1_000_000_000 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await build(folder);
  return {
    folder,
    takeMigrations: () => {
      for (const path of migrationFiles()) cpSync(join(root, path), join(folder, path));
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
