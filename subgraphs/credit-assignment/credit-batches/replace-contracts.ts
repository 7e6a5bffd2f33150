import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { sumInTurns } from '../../../shared/decimal.js';
import { requireLockedBatch } from '../batches/require-batch.js';
import { transition } from '../batches/transitions.js';
import { requireAssignable } from '../estates/assignment.js';
import { addReceivables, removeReceivables } from '../receivables/receivable-changes.store.js';
import { requireDistinct, requireForm, requireMeaning, type NewContract } from './check-contracts.js';
import { creditBatches } from './credit-batch.kind.js';
import { saveTotals, type CreditBatchRow } from './credit-batch.store.js';

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
    const batch = await requireLockedBatch(tx, creditBatches, id);
    const status = transition(batch.status, 'EDIT');
    await requireAssignable(tx, batch);
    await requireDistinct(contracts);
    const total = await sumInTurns(contracts.map(({ faceValue }) => faceValue));
    const changed = { ...batch, status, lineCount: contracts.length, total: total.toFixed(2) };
    await removeReceivables(tx, batch.id);
    await addReceivables(tx, batch.id, 0, contracts);
    await saveTotals(tx, changed);
    return changed;
  });
}
