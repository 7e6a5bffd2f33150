import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse, type ErrorDetail, byRule, type BrokenRule } from '../../../shared/kernel/errors.js';
import { contentOf } from '../../../shared/import/read/file-content.js';
import { formatOf, type InputFile } from '../../../shared/import/read/files.js';
import { codeOf } from '../../../shared/kernel/thrown.js';
import { listPieces } from './import-piece.store.js';
import { fileIssues, uploadLimits, type UploadedFile } from './uploaded-file.js';

const unpack = promisify(gunzip);

/** Opens files in the order of their names. @throws {ApiError} BAD_REQUEST naming all files that are not there completely, are not gzip, or are too large */
export async function openFiles(context: Context, files: readonly UploadedFile[]): Promise<InputFile[]> {
  refuse('BAD_REQUEST', fileIssues(files));
  const issues: ErrorDetail[] = [];
  const opened: InputFile[] = [];
  let left: number = uploadLimits.bytes;
  for (const [at, file] of files.entries()) {
    const found = await open(context, file, left);
    if ('rule' in found) issues.push({ path: `files[${at}]`, ...found });
    else {
      opened.push(found);
      left -= found.content.bytes;
    }
  }
  refuse('BAD_REQUEST', issues);
  return opened.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns a file, or why it cannot be read. */
async function open(context: Context, file: UploadedFile, left: number): Promise<InputFile | BrokenRule> {
  const format = formatOf(file.name);
  const pieces = await listPieces(context, file.id, file.pieces);
  if (format === undefined || pieces.length < file.pieces)
    return byRule('FILE_PIECES', { count: pieces.length, pieces: file.pieces });
  const most = format === 'json' ? uploadLimits.jsonBytes : left;
  try {
    const whole = await unpack(Buffer.concat(pieces), { maxOutputLength: Math.max(1, Math.min(most, left)) });
    return { name: file.name, format, content: contentOf(whole) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(format);
    if (typeof code === 'string' && code.startsWith('Z_')) return byRule('FILE_GZIP');
    throw error;
  }
}

function tooLarge(format: 'json' | 'csv'): BrokenRule {
  const { jsonBytes, bytes } = uploadLimits;
  const all = bytes / 1_048_576;
  return format === 'json'
    ? byRule('JSON_FILE_SIZE', { json: jsonBytes / 1_048_576, all })
    : byRule('FILES_SIZE', { all });
}
