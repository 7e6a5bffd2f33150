import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { ImportDomain, ImportReport } from '../../../shared/import/domain.js';
import { placeErrors, type PlacedError } from '../../../shared/import/check.js';
import { importContents } from '../../../shared/import/import.js';
import { requireNoImport } from '../../../shared/import/lock.js';
import { describeFile, type DescribedFile } from '../../../shared/import/read/files.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { openFiles } from './open-files.js';
import { givenReason, type ImportWish } from './import-wish.js';

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
