import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { sumInTurns } from '../../../shared/decimal.js';
import { formatDate } from '../../../shared/format/format.js';
import { isUuid } from '../../../shared/ids.js';
import { addBatch } from '../batches/batch.store.js';
import { draftBatch } from '../batches/draft-batch.js';
import { estateIssues, readTerms, requirePermit } from '../estates/assignment.js';
import { addReceivables } from '../receivables/receivable-changes.store.js';
import { requireDistinct, requireForm, requireMeaning, type NewContract } from './check-contracts.js';
import { creditBatchTable, type CreditBatchRow } from './credit-batch.store.js';

/** A batch as an originator sends it. */
export interface NewCreditBatch {
  /** Id of the estate that is to receive the credits. */
  readonly patrimonyId: string;
  /** 1 to 50,000. */
  readonly contracts: readonly NewContract[];
}

/**
 * Creates a batch in DRAFT for the calling client. Whether its contracts are assigned elsewhere is checked
 * when it is processed.
 * @throws {ApiError} BAD_REQUEST for input that does not have the documented form, FORBIDDEN for an estate for which the client has no permit,
 * UNPROCESSABLE for values that cannot be true and for an estate that does not exist or accepts no credits, DUPLICATE_CONTRACT for an
 * external id that occurs twice; each with all its errors
 */
export async function createCreditBatch(
  context: Context,
  { patrimonyId, contracts }: NewCreditBatch,
): Promise<CreditBatchRow> {
  await requireForm(contracts, isUuid(patrimonyId) ? [] : [{ path: 'patrimonyId', message: 'must be a UUID' }]);
  const createdAt = context.clock.now();
  const day = civilDate(createdAt);
  return inTransaction(context, async (tx) => {
    const originatorId = tx.principal.ownerId;
    const terms = await readTerms(tx, originatorId, patrimonyId);
    requirePermit(terms);
    await requireMeaning(contracts, day, estateIssues(terms));
    await requireDistinct(contracts);
    const total = await sumInTurns(contracts.map(({ faceValue }) => faceValue));
    const estate = patrimonyId.toLowerCase();
    const lines = { lineCount: contracts.length, total: total.toFixed(2) };
    const batch: CreditBatchRow = {
      ...draftBatch(createdAt, { originatorId, patrimonyId: estate, ...lines }),
      name: `Cessão ${terms.originatorName} ${formatDate(day)}`,
    };
    await addBatch(tx, creditBatchTable, batch);
    await addReceivables(tx, batch.id, 0, contracts);
    return batch;
  });
}
