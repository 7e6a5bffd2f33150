import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, type ErrorDetail } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
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
    ...(isUuid(fileId) ? [] : [{ path: 'file', message: 'must be a UUID' }]),
    ...(position >= 0 && position < pieces ? [] : [{ path: 'position', message: `must be from 0 to ${pieces - 1}` }]),
    ...(bytes.length >= 1 && bytes.length <= pieceBytes
      ? []
      : [{ path: 'piece', message: `must be Base64 of 1 to ${pieceBytes} bytes` }]),
  ];
  refuse('BAD_REQUEST', issues);
  const isStored = await inTransaction(context, (tx) => putPiece(tx, { fileId, position, piece: bytes }, piecesInAll));
  if (isStored) return;
  throw new ApiError('UNPROCESSABLE', {
    message: `${piecesInAll} pieces are waiting to be imported: import them, or wait two hours, after which they are deleted`,
  });
}
