import { mkdir, open, readdir, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ApiError } from '../kernel/errors.js';
import { codeOf } from '../kernel/thrown.js';

/** The folders and files that one export creates: all of them are new, so that exactly they can be removed again. */
export interface ExportFiles {
  /** Creates a folder that only its owner can read. */
  folder(path: string): Promise<void>;
  /** Creates an empty file that only its owner can read; the caller closes it. */
  file(path: string): Promise<FileHandle>;
  /** Removes a file again. */
  remove(path: string): Promise<void>;
  /** Removes everything that was created; returns the paths that could not be removed. */
  removeAll(): Promise<readonly string[]>;
}

/**
 * Creates the folder of an export, including missing parents; an existing folder must be empty.
 * @throws {ApiError} CONFLICT if it contains something, or is not a folder
 */
export async function openExportFiles(folder: string): Promise<ExportFiles> {
  const taken = () => new ApiError('CONFLICT', { message: `${folder} is not an empty folder: name a new one` });
  const fresh = async <T>(making: Promise<T>): Promise<T> => {
    try {
      return await making;
    } catch (error) {
      throw isThere(error) ? taken() : error;
    }
  };
  const first = await fresh(mkdir(folder, { recursive: true, mode: 0o700 }));
  const made = new Map<string, 'folder' | 'file'>();
  for (const path of foldersFrom(first, folder)) made.set(path, 'folder');
  if ((await readdir(folder)).length > 0) throw taken();
  return {
    folder: async (path) => {
      await fresh(mkdir(path, { mode: 0o700 }));
      made.set(path, 'folder');
    },
    file: async (path) => {
      // Fails if the file exists: files that another process creates meanwhile are neither overwritten nor removed.
      const handle = await fresh(open(path, 'wx', 0o600));
      made.set(path, 'file');
      return handle;
    },
    remove: async (path) => {
      await rm(path);
      made.delete(path);
    },
    removeAll: async () => {
      const left: string[] = [];
      for (const [path, what] of [...made].reverse()) {
        try {
          await (what === 'folder' ? rmdir(path) : rm(path, { force: true }));
        } catch {
          left.push(path);
        }
      }
      return left;
    },
  };
}

/** Returns the folders from the first created one down to the last; none if the last one existed before. */
function foldersFrom(first: string | undefined, last: string): string[] {
  if (first === undefined) return [];
  const top = resolve(first);
  const folders: string[] = [];
  for (let path = resolve(last); path.length >= top.length; path = dirname(path)) folders.unshift(path);
  return folders;
}

function isThere(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EEXIST' || code === 'ENOTDIR';
}
