// Compiles the TypeScript into dist/, in the same layout, and copies the files beside it that the program reads at run time. It does nothing while
// neither they nor the compiler have changed.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleCommands, commandBundle, operatorFields } from './bundle-commands.mjs';
import { bundlePanel, isBundled, panelAssets } from './bundle-panel.mjs';
import { compiler, messagesOf } from './compiler.mjs';
import { digestOf, filesBelow, out, put, putCompressed, root } from './files.mjs';

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

/** Brings dist/ up to date. @returns the compiled sources, the number of changed files, an error message for each source that could not be compiled */
export async function build() {
  const begun = performance.now();
  const { compiled, copied } = await findSources();
  const key = await digestOf(['node_modules/esbuild/package.json', scalar.package], [...compiled, ...copied]);
  const keyFile = join(out, '.key');
  const upToDate = (await readFile(keyFile, 'utf8').catch(() => '')) === key;
  const { changed, errors } = upToDate ? { changed: 0, errors: [] } : await produce(compiled, copied);
  const bundled = await bundlePanel();
  errors.push(...bundled.errors);
  if (!upToDate && errors.length === 0) await put(keyFile, key);
  return { compiled, changed: changed + bundled.written, errors, ms: performance.now() - begun };
}

async function produce(compiled, copied) {
  const made = await compile(compiled);
  if (made.outputFiles === undefined) return { changed: 0, errors: messagesOf(made, 'build') };
  const plain = made.outputFiles.map(({ path, contents }) => ({ output: relative(out, path), bytes: contents }));
  const read = copied.map(async (path) => ({ output: path, bytes: await readFile(join(root, path)) }));
  const others = [...(await Promise.all(read)), { output: scalar.output, bytes: await readScalar() }];
  const assets = others.filter(({ output }) => /^apps\/.*\.(css|js|svg)$/.test(output));
  plain.push(...others.filter((file) => !assets.includes(file)));
  const wrote = await Promise.all([
    ...assets.map(({ output, bytes }) => putCompressed(join(out, output), bytes)),
    ...plain.map(({ output, bytes }) => put(join(out, output), bytes)),
  ]);
  const gone = await removeOthers(new Set([...plain, ...assets].map(({ output }) => output)));
  return { changed: wrote.filter(Boolean).length + gone, errors: [] };
}

async function compile(sources) {
  const { build } = await import('esbuild');
  const places = { absWorkingDir: root, entryPoints: sources, outbase: root, outdir: out };
  return build({ ...compiler, ...places, sourcemap: true, write: false }).catch((error) => error);
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
  const [compiled, copied] = [[], []];
  for (const path of [...paths, ...beside]) (/\.tsx?$/.test(path) ? compiled : copied).push(path);
  return { compiled, copied: [...copied, ...contract, ...guides] };
}

/** Returns the folders whose files belong to the program. */
export function roomsAmong(entries) {
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return folders.filter((name) => !name.startsWith('.') && !notRooms.has(name));
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

/** Removes files without a source, except files that another build is about to rename. @returns the number of files */
async function removeOthers(wanted) {
  const kept = [panelAssets, commandBundle, operatorFields, '.key'];
  const others = (await filesBelow(out, '.')).filter(
    (path) =>
      !wanted.has(path.replace(/\.(br|gz)$/, '')) &&
      !path.endsWith('.tmp') &&
      !kept.some((one) => path.startsWith(one)),
  );
  await Promise.all(others.map((path) => rm(join(out, path), { force: true })));
  return others.length;
}

/** Prints the result of a build. @returns whether it succeeded */
export function report({ changed, errors, ms }, { quiet = false } = {}) {
  for (const error of errors) process.stderr.write(`${error}\n`);
  if (errors.length > 0) process.stderr.write(`The build failed with ${errors.length} error(s).\n`);
  else if (!quiet) process.stdout.write(`Built: ${changed} files changed, in ${Math.round(ms)} ms.\n`);
  return errors.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = await build();
  // Not for who waits for the program only (`npm start`, scripts/dev.mjs).
  if (built.errors.length === 0 && !process.argv.includes('--program'))
    built.errors.push(...(await bundleCommands(built.compiled)));
  const good = report(built, { quiet: process.argv.includes('--quiet') });
  process.exitCode = good ? 0 : 1;
}
