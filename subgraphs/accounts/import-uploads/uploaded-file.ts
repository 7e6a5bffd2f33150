import { identifyingText, isVisible } from '../../../shared/kernel/identifying-text.js';
import { extname } from 'node:path';
import { type ErrorDetail, byRule, errorAt, type BrokenRule } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';

export const uploadLimits = {
  /** Bytes of a piece, which fits into the smallest usual body of a GraphQL request as Base64. */
  pieceBytes: 61_440,
  /** Pieces of a file: 15 MiB compressed. */
  pieces: 256,
  /** Pieces that an operator may have uploaded without importing them. */
  piecesInAll: 1_024,
  files: 20,
  /** Bytes of all files of an import, decompressed. */
  bytes: 64 * 1_048_576,
  /** Bytes of a JSON file: it is parsed in one go, while other requests wait. */
  jsonBytes: 2 * 1_048_576,
  keptMs: 2 * 3_600_000,
} as const;

/** A file as an operator names it for an import: the pieces that were uploaded under an id. */
export interface UploadedFile {
  readonly id: string;
  readonly name: string;
  readonly pieces: number;
}

/** Returns everything that is wrong with a list of files, before any of them is read. */
export function fileIssues(files: readonly UploadedFile[]): ErrorDetail[] {
  const { files: most, pieces: mostPieces } = uploadLimits;
  const issues = files.flatMap(({ id, name, pieces }, at) => {
    const path = `files[${at}]`;
    return [
      ...(isUuid(id) ? [] : [errorAt(`${path}.id`, 'UUID_FORM')]),
      ...nameIssues(name).map((broken) => ({ path: `${path}.name`, ...broken })),
      ...(files.findIndex((other) => identifyingText(other.name) === identifyingText(name)) < at
        ? [errorAt(`${path}.name`, 'FILE_NAME_TWICE')]
        : []),
      ...(pieces >= 1 && pieces <= mostPieces
        ? []
        : [errorAt(`${path}.pieces`, 'NUMBER_RANGE', { min: 1, max: mostPieces })]),
    ];
  });
  if (files.length >= 1 && files.length <= most) return issues;
  return [errorAt('files', 'IMPORT_FILES', { max: most }), ...issues];
}

function nameIssues(name: string): BrokenRule[] {
  const issues: BrokenRule[] = [];
  if (name.trim() === '' || name.length > 200) issues.push(byRule('TEXT_LENGTH', { min: 1, max: 200 }));
  if (/[/\\]/.test(name) || !isVisible(identifyingText(name))) issues.push(byRule('FILE_NAME_CHARACTERS'));
  if (!['.json', '.csv'].includes(extname(name).toLowerCase())) issues.push(byRule('FILE_NAME_END'));
  return issues;
}
