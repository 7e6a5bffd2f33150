import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import { refuse, requireFound } from '../../../shared/errors.js';
import { requireLockedBatch } from '../batches/require-batch.js';
import { transition } from '../batches/transitions.js';
import { removeReceivable } from '../receivables/receivable-changes.store.js';
import { creditBatches } from './credit-batch.kind.js';
import { saveTotals, type CreditBatchRow } from './credit-batch.store.js';

/**
 * Removes one contract from a batch in DRAFT; those after it move up.
 * @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS, NOT_FOUND for a contract that the batch does not have, UNPROCESSABLE for the last one
 */
export async function removeContract(context: Context, id: string, externalId: string): Promise<CreditBatchRow> {
  return inTransaction(context, async (tx) => {
    const batch = await requireLockedBatch(tx, creditBatches, id);
    const status = transition(batch.status, 'EDIT');
    const faceValue = requireFound(
      await removeReceivable(tx, batch.id, externalId),
      'The credit batch has no contract with this externalId',
    );
    if (batch.lineCount === 1) {
      const message = 'is the only contract of the batch: cancel the batch, or replace its contracts';
      refuse('UNPROCESSABLE', [{ path: 'externalId', message }]);
    }
    const changed = {
      ...batch,
      status,
      lineCount: batch.lineCount - 1,
      total: new Decimal(batch.total).minus(faceValue).toFixed(2),
    };
    await saveTotals(tx, changed);
    return changed;
  });
}
