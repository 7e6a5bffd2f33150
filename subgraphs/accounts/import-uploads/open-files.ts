import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from '../../../shared/context.js';
import { refuse, type ErrorDetail } from '../../../shared/errors.js';
import { contentOf } from '../../../shared/import/read/file-content.js';
import { formatOf, type InputFile } from '../../../shared/import/read/files.js';
import { codeOf } from '../../../shared/thrown.js';
import { listPieces } from './import-piece.store.js';
import { fileIssues, uploadLimits, type UploadedFile } from './uploaded-file.js';

const unpack = promisify(gunzip);

/**
 * Returns uploaded files as input of an import, in the order of their names as the importer reads a folder.
 * @throws {ApiError} BAD_REQUEST for files that are not there completely, are not gzip, or are too large; all of them are named
 */
export async function openFiles(context: Context, files: readonly UploadedFile[]): Promise<InputFile[]> {
  refuse('BAD_REQUEST', fileIssues(files));
  const issues: ErrorDetail[] = [];
  const opened: InputFile[] = [];
  let left: number = uploadLimits.bytes;
  for (const [at, file] of files.entries()) {
    const found = await open(context, file, left);
    if (typeof found === 'string') issues.push({ path: `files[${at}]`, message: found });
    else {
      opened.push(found);
      left -= found.content.bytes;
    }
  }
  refuse('BAD_REQUEST', issues);
  return opened.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns a file, or why it cannot be read. */
async function open(context: Context, file: UploadedFile, left: number): Promise<InputFile | string> {
  const format = formatOf(file.name);
  const pieces = await listPieces(context, file.id, file.pieces);
  if (format === undefined || pieces.length < file.pieces)
    return `has ${pieces.length} of ${file.pieces} pieces: upload it again, pieces are kept for two hours`;
  const most = format === 'json' ? uploadLimits.jsonBytes : left;
  try {
    const whole = await unpack(Buffer.concat(pieces), { maxOutputLength: Math.max(1, Math.min(most, left)) });
    return { name: file.name, format, content: contentOf(whole) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(format);
    if (typeof code === 'string' && code.startsWith('Z_')) return 'is not gzip, or is cut short';
    throw error;
  }
}

function tooLarge(format: 'json' | 'csv'): string {
  const { jsonBytes, bytes } = uploadLimits;
  return format === 'json'
    ? `is larger than ${jsonBytes / 1_048_576} MiB, or all files together than ${bytes / 1_048_576} MiB: put its long lists into CSV files, or import it by the command line`
    : `makes all files together larger than ${bytes / 1_048_576} MiB: import them one after the other, or by the command line`;
}
