import { mkdir, open, readdir, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ApiError } from '../errors.js';
import { codeOf } from '../thrown.js';

/** The folders and files that one export makes: each is new, so that all of them, and nothing else, can be removed again. */
export interface ExportFiles {
  /** Makes a folder that only its owner can read. */
  folder(path: string): Promise<void>;
  /** Makes an empty file that only its owner can read; whoever asks for it closes it. */
  file(path: string): Promise<FileHandle>;
  /** Removes a file again. */
  remove(path: string): Promise<void>;
  /** Removes everything that was made; returns the paths that could not be removed. */
  removeAll(): Promise<readonly string[]>;
}

/**
 * Makes the folder of an export, with what lies above it; a folder that is there must be empty.
 * @throws {ApiError} CONFLICT where something is in it, or it is no folder
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
      // Fails where the file is there: what somebody else writes meanwhile is neither overwritten nor removed.
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

/** The folders from the first that was made down to the last; none where it was there before. */
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
