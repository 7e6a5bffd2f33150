import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, type ErrorDetail } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { byRule, errorAt } from '../../../shared/rule-error.js';
import { putPiece } from './import-piece.store.js';
import { uploadLimits } from './uploaded-file.js';

const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Stores a piece of a file for an import. The same piece again replaces the one before it.
 * @throws {ApiError} BAD_REQUEST for an invalid argument; UNPROCESSABLE when too much is uploaded already
 */
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
