// Which test files are a module's own: those beside the code, and those of its part of tests/.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Test files elsewhere that belong to a module, by the beginning of their path. */
const elsewhere = {
  'shared/subgraph/idempotency.ts': ['shared/subgraph/idempotency-', 'tests/rest/idempotency'],
  'gateway/edge': ['tests/rest/'],
  'subgraphs/accounts': ['tests/accounts/'],
  'subgraphs/credit-assignment/settlement-batches': ['tests/credit-assignment/settlement'],
  'subgraphs/tokenization/assignments': [
    'tests/credit-assignment/settlement',
    'tests/credit-assignment/processing.test',
  ],
  'subgraphs/webhooks/engine': ['tests/webhooks/'],
};

const isTest = (path) => path.endsWith('.test.ts');
const isSource = (path) => path.endsWith('.ts') && !isTest(path) && !path.endsWith('.d.ts');

/** The source files of a file or folder and its tests, all relative to `root`. */
export async function moduleOf(root, path) {
  const isFolder = (await stat(join(root, path))).isDirectory();
  const inside = isFolder
    ? (await readdir(join(root, path), { recursive: true })).map((name) => join(path, name))
    : [path];
  const beside = isFolder ? inside.filter(isTest) : await existing(root, path.replace(/\.ts$/, '.test.ts'));
  const tests = [...beside];
  for (const prefix of elsewhere[path] ?? []) tests.push(...(await startingWith(root, prefix)));
  return { sources: inside.filter(isSource).sort(), tests: tests.sort() };
}

/** Every test file whose path begins with `prefix`. */
export async function startingWith(root, prefix) {
  const folder = prefix.slice(0, prefix.lastIndexOf('/'));
  const names = await readdir(join(root, folder), { recursive: true });
  return names.map((name) => join(folder, name)).filter((name) => name.startsWith(prefix) && isTest(name));
}

async function existing(root, path) {
  return (await stat(join(root, path)).catch(() => undefined)) === undefined ? [] : [path];
}
