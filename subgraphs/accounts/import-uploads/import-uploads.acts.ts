import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, type ErrorDetail, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { putPiece, deletePieces } from './import-piece.store.js';
import { uploadLimits } from './uploaded-file.js';
import { importContents } from '../../../shared/import/import.js';
import { findImport, type StoredImport } from '../../../shared/import/imports.store.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import type { ImportReport } from '../../../shared/import/domain.js';
import type { ImportParts } from './check-import.js';
import { givenReason, type ImportWish } from './import-wish.js';
import { openFiles } from './open-files.js';

const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The same piece again replaces the one before it. @throws {ApiError} BAD_REQUEST; UNPROCESSABLE when too much is uploaded already */
export async function addImportPiece(
  context: Context,
  { fileId, position, piece }: { readonly fileId: string; readonly position: number; readonly piece: string },
): Promise<void> {
  const { pieceBytes, pieces, piecesInAll } = uploadLimits;
  const bytes = base64Form.test(piece) ? Buffer.from(piece, 'base64') : Buffer.alloc(0);
  const issues: ErrorDetail[] = [
    ...(isUuid(fileId) ? [] : [errorAt('file', 'UUID_FORM')]),
    ...(position >= 0 && position < pieces ? [] : [errorAt('position', 'NUMBER_RANGE', { min: 0, max: pieces - 1 })]),
    ...(bytes.length >= 1 && bytes.length <= pieceBytes ? [] : [errorAt('piece', 'PIECE_FORM', { max: pieceBytes })]),
  ];
  refuse('BAD_REQUEST', issues);
  const isStored = await inTransaction(context, (tx) => putPiece(tx, { fileId, position, piece: bytes }, piecesInAll));
  if (isStored) return;
  throw new ApiError('UNPROCESSABLE', byRule('UPLOADS_FULL', { max: piecesInAll }));
}

/** Imports all or nothing, and deletes the files in the same transaction: they are imported once. @throws {ApiError} BAD_REQUEST for missing files; CONFLICT during another import; UNPROCESSABLE */
export function importUploaded(
  context: Context,
  { domains, settledPriceDays }: ImportParts,
  wish: ImportWish,
): Promise<StoredImport> {
  const correct = givenReason(wish);
  return inTransaction(context, async (tx) => {
    const files = await openFiles(tx, wish.files);
    await requireNoImport(tx);
    const report = await importContents(tx, domains, { files, errors: [] }, { correct, settledPriceDays });
    requireImported(report);
    await deletePieces(
      tx,
      wish.files.map(({ id }) => id),
    );
    const stored = report.importId === undefined ? undefined : await findImport(tx, report.importId);
    if (stored === undefined) throw new Error('An import that was saved cannot be found');
    return stored;
  });
}

/** @throws {ApiError} UNPROCESSABLE with every error of a report */
function requireImported({ errorCount, errors }: ImportReport): void {
  if (errorCount === 0) return;
  const details = errors.map(({ file, line, field, message, rule, values }) => ({
    path: [line === 0 ? file : `${file}:${line}`, field].filter((part) => part !== '').join(' '),
    message,
    rule,
    values,
  }));
  throw new ApiError('UNPROCESSABLE', {
    ...byRule('IMPORT_REFUSED', { count: errorCount }),
    details,
  });
}
