import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, type ErrorDetail, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { putPiece, deletePieces } from './import-piece.store.js';
import { uploadLimits, type UploadedFile } from './uploaded-file.js';
import { importContents } from '../../../shared/import/import.js';
import { findImport, type StoredImport } from '../../../shared/import/imports.store.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import type { ImportReport, ImportDomain } from '../../../shared/import/domain.js';
import { openFiles } from './open-files.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { placeErrors, type PlacedError } from '../../../shared/import/check.js';
import { describeFile, type DescribedFile } from '../../../shared/import/read/files.js';

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

interface ImportWish {
  readonly files: readonly UploadedFile[];
  /** Why settled records are changed. */
  readonly reason: string | null | undefined;
}

/** @throws {ApiError} BAD_REQUEST for a text that is no reason */
function givenReason({ reason }: ImportWish): string | undefined {
  return reason == null ? undefined : requireReason(reason);
}

export interface CheckedImport {
  readonly report: ImportReport;
  readonly files: readonly DescribedFile[];
  readonly errors: readonly PlacedError[];
}

/** Rolls back; returns every error, or what would change; only the audit log is written. @throws {ApiError} BAD_REQUEST for missing files; CONFLICT while another import is written */
export async function checkImport(
  context: Context,
  { domains, settledPriceDays }: ImportParts,
  wish: ImportWish,
): Promise<CheckedImport> {
  const reason = givenReason(wish);
  const files = await openFiles(context, wish.files);
  return inTransaction(context, async (tx) => {
    await requireNoImport(tx);
    const options = { dryRun: true, correct: reason, settledPriceDays };
    const report = await importContents(tx, domains, { files, errors: [] }, options);
    const described = await Promise.all(files.map(describeFile));
    const { errorCount, counts } = report;
    await recordAudit(tx, { action: 'checkImport', after: { files: described, errorCount, counts } });
    return { report, files: described, errors: await placeErrors(files, domains, report.errors) };
  });
}

export interface ImportParts {
  readonly domains: readonly ImportDomain[];
  /** A price older than this many days is settled. */
  readonly settledPriceDays: number;
}
