import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { sumInTurns } from '../../../shared/decimal.js';
import { refuse } from '../../../shared/errors.js';
import { requireAssignable } from '../estates/assignment.js';
import { addReceivables, externalIdsIn } from '../receivables/receivable-acts.store.js';
import {
  maxContracts,
  requireDistinct,
  requireForm,
  requireMeaning,
  requireNew,
  type NewContract,
} from './check-contracts.js';
import { moved } from './credit-batch-transitions.js';
import { saveBatch, type CreditBatchRow } from './credit-batch.store.js';
import { lockOwnCreditBatch } from './own-credit-batch.js';

/**
 * Adds contracts to a batch in DRAFT, after its present ones.
 * @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS, BAD_REQUEST, FORBIDDEN and UNPROCESSABLE as for a new batch; UNPROCESSABLE too for more than
 * 50,000 contracts in all, DUPLICATE_CONTRACT for an external id that occurs twice or is already in the batch
 */
export async function addContracts(
  context: Context,
  id: string,
  contracts: readonly NewContract[],
): Promise<CreditBatchRow> {
  await requireForm(contracts);
  await requireMeaning(contracts, civilDate(context.clock.now()));
  return inTransaction(context, async (tx) => {
    const { batch } = await lockOwnCreditBatch(tx, id);
    const status = moved(batch.status, 'ADD');
    await requireAssignable(tx, batch);
    await requireDistinct(contracts);
    const ids = contracts.map(({ externalId }) => externalId);
    requireNew(contracts, new Set(await externalIdsIn(tx, batch.id, ids)));
    const receivableCount = batch.receivableCount + contracts.length;
    if (receivableCount > maxContracts) {
      const message = `would increase the batch to ${receivableCount} contracts; the maximum is ${maxContracts}`;
      refuse('UNPROCESSABLE', [{ path: 'contracts', message }]);
    }
    const added = await sumInTurns(contracts.map(({ faceValue }) => faceValue));
    const grown = { ...batch, status, receivableCount, totalFaceValue: added.plus(batch.totalFaceValue).toFixed(2) };
    await saveBatch(tx, grown);
    await addReceivables(tx, batch.id, batch.receivableCount, contracts);
    return grown;
  });
}
