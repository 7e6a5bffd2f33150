import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import { ApiError, refuse } from '../../../shared/errors.js';
import { removeReceivable } from '../receivables/receivable-acts.store.js';
import { moved } from './credit-batch-transitions.js';
import { saveBatch, type CreditBatchRow } from './credit-batch.store.js';
import { lockOwnCreditBatch } from './own-credit-batch.js';

/**
 * Removes one contract from a batch in DRAFT; those after it move up.
 * @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS, NOT_FOUND for a contract that the batch does not have, UNPROCESSABLE for the last one
 */
export async function removeContract(context: Context, id: string, externalId: string): Promise<CreditBatchRow> {
  return inTransaction(context, async (tx) => {
    const { batch } = await lockOwnCreditBatch(tx, id);
    const status = moved(batch.status, 'EDIT');
    const faceValue = await removeReceivable(tx, batch.id, externalId);
    if (faceValue === undefined) {
      throw new ApiError('NOT_FOUND', { message: 'The credit batch has no contract with this externalId' });
    }
    if (batch.receivableCount === 1) {
      const message = 'is the only contract of the batch: cancel the batch, or replace its contracts';
      refuse('UNPROCESSABLE', [{ path: 'externalId', message }]);
    }
    const changed = {
      ...batch,
      status,
      receivableCount: batch.receivableCount - 1,
      totalFaceValue: new Decimal(batch.totalFaceValue).minus(faceValue).toFixed(2),
    };
    await saveBatch(tx, changed);
    return changed;
  });
}
