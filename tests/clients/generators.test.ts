import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { keep, onPath, pathOf, root, skipped, type Tool } from '../deploy/tools.js';

/* Clients that others generate from the OpenAPI text, with no options but the kind of client, compile. */

const run = promisify(execFile);
const document = join(root, 'rest/openapi.json');
const program = (name: string): Tool => {
  const path = onPath(name);
  return path === undefined ? { missing: `no ${name} on the PATH` } : { path };
};
const [java, javac, mvn, python] = ['java', 'javac', 'mvn', 'python3'].map(program) as [Tool, Tool, Tool, Tool];

function findGenerator(): Tool {
  const missing = [java, mvn].find((tool) => tool.missing !== undefined);
  return (
    missing ??
    keep('openapi-generator-7.14.0', 'openapi-generator-cli-7.14.0.jar', (folder) => {
      const artifact = '-Dartifact=org.openapitools:openapi-generator-cli:7.14.0';
      execFileSync('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`], { stdio: 'pipe' });
    })
  );
}

function findNpmTool(name: string, version: string): Tool {
  return keep(`${name}-${version}`, join('node_modules', '.bin', name), (folder) => {
    execFileSync('npm', ['install', '--prefix', folder, '--no-save', `${name}@${version}`], { stdio: 'pipe' });
  });
}
const work = await mkdtemp(join(tmpdir(), 'lastro-generators-'));
afterAll(() => rm(work, { recursive: true, force: true }));

/** Runs a program; one that fails rejects with what it printed, of which a compiler puts its errors into either stream. */
async function must(command: string, args: readonly string[], env = process.env): Promise<string> {
  try {
    return (await run(command, args, { cwd: work, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}\n${stdout.slice(0, 4000)}\n${stderr.slice(0, 4000)}`, {
      cause: error,
    });
  }
}

const generate = (generator: Tool, ...args: string[]) =>
  must('java', ['-jar', pathOf(generator), 'generate', '-i', document, ...args]);

const compile = (file: string) =>
  must(join(root, 'node_modules/.bin/tsc'), [
    ...['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'],
    ...['--lib', 'es2022,dom,dom.iterable', file],
  ]);

test("openapi-generator's Java client compiles", async () => {
  const generator = findGenerator();
  if (skipped('the Java client', generator, javac)) return;
  await generate(generator, '-g', 'java', '--library', 'native', '-o', 'java');
  await must('mvn', ['-q', '-B', '-f', 'java', 'compile']);
});

test("openapi-generator's Python client is imported, each module of it", async () => {
  const generator = findGenerator();
  if (skipped('the Python client', generator, python)) return;
  await generate(generator, '-g', 'python', '-o', 'python');
  await must('python3', [
    ...['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--target', 'python-packages'],
    ...['-r', 'python/requirements.txt'],
  ]);
  const code = `
import importlib, pkgutil, openapi_client
names = [one.name for one in pkgutil.walk_packages(openapi_client.__path__, "openapi_client.")]
for name in names:
    importlib.import_module(name)
print(len(names))`;
  const paths = [join(work, 'python'), join(work, 'python-packages')].join(':');
  const printed = await must('python3', ['-c', code], { ...process.env, PYTHONPATH: paths });
  expect(Number(printed)).toBeGreaterThan(100);
});

test("openapi-typescript's types compile", async () => {
  const tool = findNpmTool('openapi-typescript', '7.10.1');
  if (skipped('openapi-typescript', tool)) return;
  await must(pathOf(tool), [document, '-o', 'types.ts']);
  await compile('types.ts');
});

test("orval's client compiles", async () => {
  const tool = findNpmTool('orval', '7.13.2');
  if (skipped('orval', tool)) return;
  await must(pathOf(tool), ['--input', document, '--output', join(work, 'orval.ts'), '--client', 'fetch']);
  await compile('orval.ts');
});
