import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { groupBy } from '../../shared/kernel/group-by.js';
import { full, read, root } from './tools.js';

/** One line of a Dockerfile, with those that continue it. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly image: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

export function stagesOf(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { image: string; name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [image = '', , stage = ''] = rest.split(/\s+/);
      stages.push({ image, name: stage, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, text: rest });
  }
  return stages;
}

/** Returns the files of the repository that an image is built from: those that `.dockerignore` does not name. */
export function filesOfContext(): string[] {
  const ignored = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(patternOf);
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)) && !ignored.some((pattern) => pattern.test(path)));
}

/** Makes a pattern of `.dockerignore` one of paths; it matches what lies below a folder too. */
function patternOf(line: string): RegExp {
  const source = line
    .replaceAll(/[.+^${}()|[\]]/g, '\\$&')
    .replaceAll('**/', '\u0000')
    .replaceAll('*', '[^/]*')
    .replaceAll('\u0000', '(?:.*/)?');
  return new RegExp(`^${source}(?:/|$)`);
}

/**
 * Carries the instructions of all stages out in folders below `base`, one for each stage. What `npm ci` installs comes from the packages that are
 * installed here, and what is built here already is not built again, unless DEPLOY_FULL is set. @returns the folder of the last stage, with the folder that it works in and its environment
 */
export function runStages(stages: readonly Stage[], base: string) {
  const files = filesOfContext();
  let last = { folder: base, workdir: '/', env: {} as Record<string, string> };
  for (const { name, instructions } of stages) {
    const folder = join(base, name === '' ? 'last' : name);
    last = { folder, workdir: '/', env: {} };
    for (const { name: verb, text } of instructions) {
      const here = join(folder, last.workdir);
      if (verb === 'WORKDIR') mkdirSync(join(folder, (last.workdir = text)), { recursive: true });
      if (verb === 'ENV') Object.assign(last.env, Object.fromEntries([text.split(/=(.*)/s).slice(0, 2)]));
      if (verb === 'COPY') copy(text, { base, folder, here, files });
      if (verb === 'RUN') run(text, here);
    }
  }
  return last;
}

interface Places {
  readonly base: string;
  readonly folder: string;
  readonly here: string;
  readonly files: readonly string[];
}

function copy(text: string, { base, folder, here, files }: Places): void {
  const words = text.split(/\s+/);
  const from = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1];
  const [to = '', ...sources] = words.slice(from === undefined ? 0 : 1).reverse();
  const target = to.startsWith('/') ? join(folder, to) : join(here, to);
  for (const source of sources) {
    if (source === '/usr/local/bin/node') continue;
    const below =
      from === undefined
        ? files.filter((path) => source === '.' || path === source || path.startsWith(`${source}/`))
        : [];
    if (from === undefined && below.length === 0) throw new Error(`COPY ${source}: .dockerignore leaves nothing of it`);
    for (const path of below)
      cpSync(join(root, path), to.endsWith('/') || to === '.' ? join(target, path) : target, {
        verbatimSymlinks: true,
        preserveTimestamps: true,
      });
    // Nothing needs the earlier stage any more.
    if (from !== undefined)
      renameSync(join(base, from, source), to.endsWith('/') ? join(target, basename(source)) : target);
  }
}

/** Copies entries into a folder without copying their bytes, where both are on one disk. */
function link(entries: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync('cp', ['-al', '-t', folder, ...entries], { stdio: 'ignore' });
  if (status !== 0) execFileSync('cp', ['-a', '-t', folder, ...entries]);
}

function run(command: string, cwd: string): void {
  if (command.startsWith('npm ci') && !full) {
    installFromHere(cwd);
    return;
  }
  // A build only makes what is missing; what another run beside this one is just writing is no loss.
  if (command === 'node scripts/build.mjs' && !full) spawnSync('cp', ['-al', join(root, 'dist'), cwd]);
  execFileSync('sh', ['-ec', command], { cwd, stdio: 'pipe' });
}

/** Does what `npm ci --omit=dev` would do, from the packages that are installed here. */
function installFromHere(cwd: string): void {
  const { packages } = JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>;
  };
  const wanted = Object.entries(packages).filter(([path, { dev, link: isLink }]) => {
    return (
      /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && dev !== true && isLink !== true && existsSync(join(root, path))
    );
  });
  // One command for the packages of each scope: there are hundreds.
  const scopes = groupBy(wanted, ([path]) => dirname(path));
  for (const [scope, entries] of scopes)
    link(
      entries.map(([path]) => join(root, path)),
      join(cwd, scope),
    );
}
