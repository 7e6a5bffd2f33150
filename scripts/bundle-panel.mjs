// Bundles the panel (apps/panel) for browsers into dist/apps/panel/assets, with hashes in the names and compressed forms beside each file. It does nothing
// while neither the sources nor the packages have changed.
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messagesOf } from './compiler.mjs';
import { digestOf, filesBelow, out, put, putCompressed, root } from './files.mjs';

/** Where the files for browsers are, below dist/. */
export const panelAssets = 'apps/panel/assets/';
const manifest = 'manifest.json';

/** The panel, and what watches the log-in that its page comes with until the panel is there. */
const main = 'apps/panel/main.tsx';
const early = 'apps/panel/account/early-log-in.ts';

/** Folders whose sources run only in browsers. */
const rooms = ['apps/panel', 'apps/design/controls'];
/** Other parts of the repository that the bundle may contain. */
const shared = ['apps/design'];

/** Whether a source is only part of the bundle, so that the program has no use for it. */
export const isBundled = (path) => rooms.some((room) => path.startsWith(`${room}/`)) && /\.(tsx?|json)$/.test(path);

/** Languages that the panel has not: React Aria has its texts in 34. */
const otherLanguages = /[\\/]intl[\\/].*[a-z]{2}-[A-Z]{2}\.mjs$/;
const ownLanguages = /(pt-BR|en-US)\.mjs$/;
const withoutOtherLanguages = {
  name: 'without-other-languages',
  setup(build) {
    build.onLoad({ filter: otherLanguages }, ({ path }) =>
      ownLanguages.test(path) ? undefined : { contents: 'export default {}', loader: 'js' },
    );
  },
};

/** @returns the number of files written, and an error message for each error of the sources */
export async function bundlePanel() {
  const folder = join(out, panelAssets);
  const sources = (await Promise.all([...rooms, ...shared].map((room) => filesBelow(root, room)))).flat();
  const key = await digestOf(
    ['package-lock.json'],
    sources.filter((path) => /\.tsx?$/.test(path)),
  );
  const known = await readFile(join(folder, manifest), 'utf8').then(JSON.parse, () => undefined);
  if (known?.key === key) return { written: 0, errors: [] };
  const { build } = await import('esbuild');
  const result = await build({ ...optionsOf(folder), write: false, metafile: true }).catch((error) => error);
  if (result.outputFiles === undefined) return { written: 0, errors: messagesOf(result, 'apps/panel') };
  const files = result.outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
  await Promise.all(files.map(({ name, contents }) => putCompressed(join(folder, name), contents)));
  // The manifest comes last: whoever reads it finds every file that it names.
  const text = JSON.stringify({ key, ...entryOf(result.metafile), files: files.map(({ name }) => name).sort() });
  await put(join(folder, manifest), text);
  await removeOthers(folder, new Set([manifest, ...files.map(({ name }) => name)]));
  return { written: files.length, errors: [] };
}

function optionsOf(folder) {
  return {
    absWorkingDir: root,
    entryPoints: [main, early],
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [withoutOtherLanguages],
  };
}

/** Returns the names of the first scripts, of those that they import at once, and of what the frame, the log-in and the home load next. */
function entryOf({ outputs }) {
  const made = new Map(
    Object.entries(outputs).flatMap(([path, { entryPoint }]) => (entryPoint === undefined ? [] : [[entryPoint, path]])),
  );
  const imported = (path, seen = new Set()) => {
    for (const one of outputs[path].imports) {
      if (one.kind !== 'import-statement' || seen.has(one.path)) continue;
      seen.add(one.path);
      imported(one.path, seen);
    }
    return seen;
  };
  const first = imported(made.get(main));
  const next = (path) => [path, ...imported(path)].filter((one) => !first.has(one)).map((one) => basename(one));
  const textsOf = (area) => made.get(`apps/panel/${area}/messages.ts`);
  /** The scripts of some sources, with the texts of their area. */
  const screen = (area, ...sources) => [
    ...new Set([...sources.map((one) => made.get(one)), textsOf(area)].flatMap(next)),
  ];
  return {
    entry: basename(made.get(main)),
    // Scripts that others import come first.
    imports: [...first].reverse().map((path) => basename(path)),
    early: basename(made.get(early)),
    texts: basename(textsOf('frame')),
    logIn: screen('account', 'apps/panel/account/log-in.tsx'),
    home: screen('home', 'apps/panel/home/home.tsx', 'apps/panel/home/parts.ts'),
  };
}

/** Removes files of earlier bundles. A program that runs has read its files at start. */
async function removeOthers(folder, names) {
  const plain = (name) => name.replace(/\.(br|gz)$/, '');
  const others = (await readdir(folder)).filter((name) => !names.has(plain(name)) && !name.endsWith('.tmp'));
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })));
}
