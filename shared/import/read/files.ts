import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { codeOf } from '../../kernel/thrown.js';
import { broken, type BrokenImportRule } from '../import-rules.js';
import { contentAt, type FileContent } from './file-content.js';

export interface InputFile {
  readonly name: string;
  readonly format: 'json' | 'csv';
  readonly content: FileContent;
}

export interface FileError {
  readonly name: string;
  readonly error: BrokenImportRule;
}

export interface DescribedFile {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly sha256: string;
}

export async function describeFile({ name, content: { bytes, chunks } }: InputFile): Promise<DescribedFile> {
  const digest = createHash('sha256');
  for await (const chunk of chunks()) digest.update(chunk);
  return { name, bytes, sha256: digest.digest('hex') };
}

/** Finds the files at some paths, sorted by name and without duplicates; a folder includes every file in it except hidden ones. */
export async function findFiles(paths: readonly string[]): Promise<{ files: InputFile[]; errors: FileError[] }> {
  const files: InputFile[] = [];
  const errors: FileError[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    try {
      const names = (await stat(path)).isDirectory() ? await filesIn(path) : [path];
      if (names.length === 0) errors.push({ name: path, error: broken('FOLDER_EMPTY') });
      for (const name of names) {
        const real = await realpath(name);
        if (seen.has(real)) continue;
        seen.add(real);
        const format = formatOf(name);
        if (format === undefined) errors.push({ name, error: broken('FILE_FORMAT') });
        else files.push({ name, format, content: contentAt(name, (await stat(name)).size) });
      }
    } catch (error) {
      errors.push({ name: path, error: unreadable(error) });
    }
  }
  return { files: files.sort((one, other) => (one.name < other.name ? -1 : 1)), errors };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const lists = entries
    .filter(({ name }) => !name.startsWith('.'))
    .map(async (entry) => (entry.isDirectory() ? await filesIn(join(folder, entry.name)) : [join(folder, entry.name)]));
  return (await Promise.all(lists)).flat();
}

/** Returns the format of a file by its name; undefined for any other. */
export function formatOf(name: string): InputFile['format'] | undefined {
  const extension = extname(name).toLowerCase();
  if (extension === '.json') return 'json';
  return extension === '.csv' ? 'csv' : undefined;
}

function unreadable(error: unknown): BrokenImportRule {
  const code = codeOf(error) ?? String(error);
  if (code === 'ENOENT') return broken('FILE_MISSING');
  return code === 'EACCES' ? broken('FILE_FORBIDDEN') : broken('FILE_UNREADABLE', { code });
}
