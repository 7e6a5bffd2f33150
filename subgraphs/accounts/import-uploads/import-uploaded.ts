import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { importContents } from '../../../shared/import/import.js';
import { findImport, type StoredImport } from '../../../shared/import/imports.store.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import type { ImportReport } from '../../../shared/import/report.js';
import { byRule } from '../../../shared/rule-error.js';
import type { ImportParts } from './check-import.js';
import { deletePieces } from './import-piece.store.js';
import { givenReason, type ImportWish } from './import-wish.js';
import { openFiles } from './open-files.js';

/**
 * Imports uploaded files as a whole, as `lastro import` does, and deletes them in the same transaction: they are imported once.
 * @throws {ApiError} BAD_REQUEST for files that are not there; CONFLICT while another import is written; UNPROCESSABLE with every error of the files
 */
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
