// Compiles the TypeScript into dist/, in the same layout, and copies the files beside it that the program reads at run time. Each output carries the
// modification time of its source, so that only changed files are processed again, and two concurrent builds cannot mislead each other: an output and
// its time appear together, by a rename.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bundleCommands, commandBundle, operatorFields } from './bundle-commands.mjs';
import { bundlePanel, isBundled, panelAssets } from './bundle-panel.mjs';
import { swcOptions } from './swc-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist');
const keyFile = join(out, '.key');
const notRooms = new Set([
  'node_modules',
  'dist',
  'tests',
  'bench',
  'docs',
  'scripts',
  'deploy',
  'coverage',
  'clients',
]);
/** Texts outside these folders that are pages of the reference (`apps/site/reference/pages.tsx`). */
const guideFolders = ['docs/contract', 'docs/guides'];
const guides = [
  'docs/glossary.md',
  'gateway/live/socket/PROTOCOL.md',
  'clients/typescript/README.md',
  'clients/python/README.md',
  'CHANGELOG.md',
];
/** Scalar’s script, which its package serves as a plugin of Fastify and has in no file of its own. */
const scalar = {
  package: 'node_modules/@scalar/fastify-api-reference/package.json',
  output: 'apps/site/reference/scalar.js',
};
const temporary = /\.\d+\.tmp$/;

/** Brings dist/ up to date; does nothing when nothing has changed. */
export async function build() {
  const begun = performance.now();
  const [sources, outputs, key] = await Promise.all([findSources(), findOutputs(), compilerKey()]);
  const sameCompiler = (await readFile(keyFile, 'utf8').catch(() => '')) === key;

  const wanted = new Set([operatorFields]);
  const outdated = [];
  for (const source of sources) {
    source.output ??= source.path.replace(/\.tsx?$/, '.js');
    wanted.add(source.output);
    if (source.compiled) wanted.add(`${source.output}.map`);
    if (source.compressed) for (const { suffix } of codings) wanted.add(`${source.output}${suffix}`);
    if (!sameCompiler || outputs.get(source.output)?.mtime !== source.mtime) outdated.push(source);
  }
  const extra = [...outputs.values()].filter(({ path, ctime }) => {
    // Another build may be about to rename its temporary file.
    return !wanted.has(path) && (!temporary.test(path) || Date.now() - ctime > 60_000);
  });

  const errors = await produce(outdated);
  const bundled = await bundlePanel({ root, out, put, compress: codings });
  errors.push(...bundled.errors);
  await Promise.all(extra.map(({ path }) => rm(join(out, path), { force: true })));
  await removeEmptyFolders(new Set(extra.map(({ path }) => dirname(path))));
  if (!sameCompiler && errors.length === 0) await put(keyFile, (file) => writeFile(file, key));
  const changed = outdated.length + extra.length + bundled.written;
  return {
    changed,
    written: outdated.length + bundled.written - errors.length,
    removed: extra.length,
    errors,
    sources,
    ms: performance.now() - begun,
  };
}

async function findSources() {
  const top = await readdir(root, { withFileTypes: true });
  const below = await Promise.all(roomsAmong(top).map((name) => filesBelow(root, name)));
  const paths = below
    .flat()
    .filter((path) => !/(\.test\.tsx?|\.d\.ts|\.md|(^|\/)\.[^/]*)$/.test(path) && !isBundled(path));
  const beside = top.filter((entry) => entry.isFile() && /\.(ts|graphql)$/.test(entry.name)).map(({ name }) => name);
  const folders = await Promise.all(guideFolders.map((folder) => filesBelow(root, folder)));
  const contract = folders.flat().filter((path) => path.endsWith('.md'));
  const copied = [...paths, ...beside, ...contract, ...guides].map((path) => ({
    path,
    compiled: /\.tsx?$/.test(path),
    compressed: isAsset(path),
  }));
  const made = { path: scalar.package, output: scalar.output, compressed: true, read: readScalar };
  return await timesOf(root, [...copied, made]);
}

/** Returns the folders whose files belong to the program. */
export function roomsAmong(entries) {
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return folders.filter((name) => !name.startsWith('.') && !notRooms.has(name));
}

async function findOutputs() {
  const paths = (await filesBelow(out, '.')).filter(
    (path) => path !== '.key' && !path.startsWith(panelAssets) && !path.startsWith(commandBundle),
  );
  const files = await timesOf(
    out,
    paths.map((path) => ({ path })),
  );
  return new Map(files.map((file) => [file.path, file]));
}

/** Returns the files with their times; leaves out those that vanished in the meantime. */
async function timesOf(base, files) {
  const found = await Promise.all(
    files.map(async (file) => {
      const times = await stat(join(base, file.path)).catch(() => undefined);
      return times && { ...file, mtime: Math.round(times.mtimeMs), ctime: times.ctimeMs };
    }),
  );
  return found.filter((file) => file !== undefined);
}

async function filesBelow(base, folder) {
  const entries = await readdir(join(base, folder), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(base, path);
      return [path];
    }),
  );
  return found.flat();
}

/** Returns a key that changes when every output must be rebuilt: with the compiler, its settings, Scalar, or one of these scripts. */
async function compilerKey() {
  const files = [
    '.swcrc',
    'scripts/build.mjs',
    'scripts/swc-options.mjs',
    'node_modules/@swc/core/package.json',
    scalar.package,
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(join(root, file)));
  return hash.digest('hex');
}

/** @returns an error message for each source that could not be compiled */
async function produce(outdated) {
  if (outdated.length === 0) return [];
  const { transformFile } = await import('@swc/core');
  const queue = [...outdated];
  const errors = [];
  const worker = async () => {
    for (let source = queue.pop(); source !== undefined; source = queue.pop()) {
      try {
        await (source.compiled ? compile(source, transformFile) : copy(source));
      } catch (error) {
        // The compiler appends its own stack to the useful part of the message.
        const [message] = String(error instanceof Error ? error.message : error).split('\n\nCaused by:');
        errors.push(`${source.path}: ${message.trim()}`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() * 2 }, worker));
  return errors.sort();
}

async function compile({ path, output, mtime }, transformFile) {
  const target = join(out, output);
  const sourceFileName = relative(dirname(target), join(root, path));
  const { code, map } = await transformFile(join(root, path), { ...swcOptions(path), sourceFileName });
  const name = output.slice(output.lastIndexOf('/') + 1);
  await put(`${target}.map`, (file) => writeFile(file, map));
  await put(target, (file) => writeFile(file, `${code}//# sourceMappingURL=${name}.map\n`), mtime);
}

const isAsset = (path) => path.startsWith('apps/') && /\.(css|js|svg)$/.test(path);
const codings = [
  { suffix: '.br', compress: brotli },
  { suffix: '.gz', compress: (bytes) => promisify(gzip)(bytes, { level: 9 }) },
];

/** At the best quality Scalar's 4 MB take ten seconds of processor time, for a tenth fewer bytes. */
function brotli(bytes) {
  const quality = bytes.length > 1_000_000 ? 9 : constants.BROTLI_MAX_QUALITY;
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

async function readScalar() {
  const [{ default: fastify }, { default: plugin }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const app = fastify();
  await app.register(plugin, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { rawPayload } = await app.inject('/docs/js/scalar.js');
  await app.close();
  return rawPayload;
}

async function copy({ path, output, mtime, compressed, read = () => readFile(join(root, path)) }) {
  const bytes = await read();
  if (compressed) {
    for (const { suffix, compress } of codings) {
      const small = await compress(bytes);
      await put(join(out, `${output}${suffix}`), (file) => writeFile(file, small));
    }
  }
  await put(join(out, output), (file) => writeFile(file, bytes), mtime);
}

/** Writes under another name and renames, so that nobody ever reads a partial file. */
async function put(target, write, mtime) {
  const work = `${target}.${process.pid}.tmp`;
  await mkdir(dirname(target), { recursive: true });
  await write(work);
  if (mtime !== undefined) await utimes(work, mtime / 1000, mtime / 1000);
  await rename(work, target);
}

async function removeEmptyFolders(folders) {
  for (const folder of folders) {
    // Upwards, until a folder is not empty (or already gone).
    for (let at = folder; at !== '.'; at = dirname(at)) {
      if (
        !(await rmdir(join(out, at)).then(
          () => true,
          () => false,
        ))
      )
        break;
    }
  }
}

/** Prints the result of a build. @returns whether it succeeded */
export function report({ written, removed, errors, ms }, { quiet = false } = {}) {
  for (const error of errors) process.stderr.write(`${error}\n`);
  if (errors.length > 0) process.stderr.write(`The build failed: ${errors.length} file(s) could not be compiled.\n`);
  else if (!quiet) process.stdout.write(`Built: ${written} written, ${removed} removed, in ${Math.round(ms)} ms.\n`);
  return errors.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = await build();
  // Not for who waits for the program only (`npm start`, scripts/dev.mjs).
  if (built.errors.length === 0 && !process.argv.includes('--program'))
    built.errors.push(...(await bundleCommands({ root, out, put, sources: built.sources })));
  const good = report(built, { quiet: process.argv.includes('--quiet') });
  process.exitCode = good ? 0 : 1;
}
