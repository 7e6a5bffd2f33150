import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { sumInTurns } from '../../../shared/decimal.js';
import { requireAssignable } from '../estates/assignment.js';
import { addReceivables, removeReceivables } from '../receivables/receivable-acts.store.js';
import { requireDistinct, requireForm, requireMeaning, type NewContract } from './check-contracts.js';
import { moved } from './credit-batch-transitions.js';
import { saveBatch, type CreditBatchRow } from './credit-batch.store.js';
import { lockOwnCreditBatch } from './own-credit-batch.js';

/**
 * Replaces all contracts of a batch in DRAFT.
 * @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS, and those of a new batch
 */
export async function replaceContracts(
  context: Context,
  id: string,
  contracts: readonly NewContract[],
): Promise<CreditBatchRow> {
  await requireForm(contracts);
  await requireMeaning(contracts, civilDate(context.clock.now()));
  return inTransaction(context, async (tx) => {
    const { batch } = await lockOwnCreditBatch(tx, id);
    const status = moved(batch.status, 'EDIT');
    await requireAssignable(tx, batch);
    await requireDistinct(contracts);
    const total = await sumInTurns(contracts.map(({ faceValue }) => faceValue));
    const changed = { ...batch, status, receivableCount: contracts.length, totalFaceValue: total.toFixed(2) };
    await removeReceivables(tx, batch.id);
    await addReceivables(tx, batch.id, 0, contracts);
    await saveBatch(tx, changed);
    return changed;
  });
}
