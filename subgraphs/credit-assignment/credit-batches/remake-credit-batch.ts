import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse } from '../../../shared/kernel/errors.js';
import { addBatch } from '../batches/batch.store.js';
import { draftBatch } from '../batches/draft-batch.js';
import { requireLockedBatch } from '../batches/require-batch.js';
import { estateIssues, readTerms, requirePermit } from '../estates/assignment.js';
import { copySound, soundTotals } from '../receivables/receivable.store.js';
import { nameOn, undecidedTerms } from './create-credit-batch.js';
import { creditBatches } from './credit-batch.kind.js';
import { creditBatchTable, findRemade, type CreditBatchRow } from './credit-batch.store.js';

/**
 * Creates a DRAFT with the contracts of a REJECTED batch that had no errors. Called again it returns the same batch, unless that was cancelled.
 * @throws {ApiError} BATCH_NOT_FOUND; BATCH_STATUS for a batch that is not REJECTED; FORBIDDEN and UNPROCESSABLE where the estate accepts nothing from the
 * client, and UNPROCESSABLE where every contract had an error
 */
export async function remakeCreditBatch(context: Context, id: string): Promise<CreditBatchRow> {
  return inTransaction(context, async (tx) => {
    const rejected = await requireLockedBatch(tx, creditBatches, id);
    const made = await findRemade(tx, rejected.id);
    if (made !== undefined) return made;
    if (rejected.status !== 'REJECTED')
      throw new ApiError('BATCH_STATUS', { message: `A batch that is ${rejected.status} cannot be made again` });
    const { originatorId, patrimonyId, mode, format } = rejected;
    const terms = await readTerms(tx, originatorId, patrimonyId);
    requirePermit(terms);
    refuse('UNPROCESSABLE', estateIssues(terms));
    const { lineCount, total, totalPurchasePrice } = await soundTotals(tx, rejected.id);
    if (lineCount === 0) refuse('UNPROCESSABLE', [{ path: 'id', message: 'has errors in every contract' }]);
    const createdAt = tx.clock.now();
    const batch: CreditBatchRow = {
      ...draftBatch(createdAt, { originatorId, patrimonyId, lineCount, total }),
      ...undecidedTerms,
      ...{ name: nameOn(terms.originatorName, civilDate(createdAt)), mode, format, totalPurchasePrice },
      remadeFromId: rejected.id,
    };
    await addBatch(tx, creditBatchTable, batch);
    await copySound(tx, rejected, batch);
    return batch;
  });
}
