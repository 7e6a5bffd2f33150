import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { requireReason } from '../../../shared/reason.js';
import { countHaltingFindings, markResolved, type FindingRow } from './finding.store.js';
import { removeHalt } from './halt.store.js';

/**
 * Resolves a finding. When it is the last open one for which its currency is halted, trading resumes; a remaining discrepancy is found again within a minute,
 * or during the next night.
 * @throws {ApiError} BAD_REQUEST without a reason; NOT_FOUND where no finding with the id is open
 */
export async function resolveFinding(context: Context, id: string, reason: string): Promise<FindingRow> {
  const resolution = requireReason(reason);
  return inTransaction(context, async (tx) => {
    const finding = isUuid(id) ? await markResolved(tx, id, resolution) : undefined;
    if (finding === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no open finding with this id' });
    const { currency, synthetic } = finding;
    if (currency !== null && synthetic !== null && (await countHaltingFindings(tx, currency, synthetic)) === 0)
      await removeHalt(tx, currency, synthetic);
    await recordAudit(tx, {
      action: 'resolveReconciliationFinding',
      subject: { type: 'reconciliationFinding', id },
      after: finding,
    });
    return finding;
  });
}
