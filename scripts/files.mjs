// Shared by the scripts that write dist/: lists of files, digests that show whether anything has changed, and writing.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const out = join(root, 'dist');

/** Returns the paths below a folder from `base`; none of a folder that is not there. */
export async function filesBelow(base, folder) {
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

const scripts = ['build', 'bundle-commands', 'bundle-panel', 'compiler', 'files'].map((name) => `scripts/${name}.mjs`);

/** Returns a digest of these scripts, of the contents of some files and of the times of others; paths from the root. */
export async function digestOf(contents, paths) {
  const hash = createHash('sha256');
  for (const file of [...scripts, ...contents]) hash.update(await readFile(join(root, file)));
  const lines = await Promise.all(
    [...paths].sort().map(async (path) => {
      const at = await stat(join(root, path)).catch(() => undefined);
      return `${path} ${at?.mtimeMs} ${at?.size}\n`;
    }),
  );
  return hash.update(lines.join('')).digest('hex');
}

/** Writes under another name and renames, so that nobody ever reads a partial file. @returns whether the file was another before */
export async function put(target, bytes) {
  const data = Buffer.from(bytes);
  const before = await readFile(target).catch(() => undefined);
  if (before?.equals(data)) return false;
  const work = `${target}.${process.pid}.tmp`;
  await mkdir(dirname(target), { recursive: true });
  await writeFile(work, data);
  await rename(work, target);
  return true;
}

/** Writes a file with its compressed forms beside it, which come first: whoever finds the file finds them. */
export async function putCompressed(target, bytes) {
  const before = await readFile(target).catch(() => undefined);
  if (before?.equals(bytes)) return false;
  // At the best quality Scalar’s 4 MB take ten seconds of processor time, for a tenth fewer bytes.
  const quality = bytes.length > 1_000_000 ? 9 : constants.BROTLI_MAX_QUALITY;
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  await put(`${target}.br`, brotli);
  await put(`${target}.gz`, gzipped);
  return put(target, bytes);
}
