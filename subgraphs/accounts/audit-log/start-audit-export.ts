import { countEntries, type AuditFilter } from '../../../shared/security/audit/read-entries.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';

export type AuditFileFormat = 'CSV' | 'JSONL';

/** The most entries of an export through the graph: the rest is for the command line, which has no limit. */
export const mostExported = 20_000;

/** Returns how many entries there are before that; they are then read as pages of `auditLog`. @throws {ApiError} UNPROCESSABLE for more than 20,000 entries */
export async function startAuditExport(
  context: Context,
  filter: AuditFilter,
  format: AuditFileFormat,
): Promise<number> {
  return inTransaction(context, async (tx) => {
    const entries = await countEntries(tx.manager, filter);
    if (entries > mostExported)
      throw new ApiError('UNPROCESSABLE', byRule('AUDIT_EXPORT_FULL', { entries, max: mostExported }));
    await recordAudit(tx, { action: 'exportAuditLog', after: { ...filter, format, entries } });
    return entries;
  });
}
