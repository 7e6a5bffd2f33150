import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, errorAt, refuse } from '../../../shared/kernel/errors.js';
import { addBatch, numberBatch } from '../batches/batch.store.js';
import { maxLines } from '../batches/check-lines.js';
import { draftBatch } from '../batches/batches.acts.js';
import { requireLockedBatch } from '../batches/require-batch.js';
import { transition } from '../batches/transitions.js';
import { estateIssues, readTerms, requireAssignable, requirePermit } from '../estates/assignment.js';
import {
  addReceivables,
  copySound,
  externalIdsIn,
  removeReceivable,
  removeReceivables,
  soundTotals,
} from '../receivables/receivable.store.js';
import { requireDistinct, requireForm, requireMeaning, requireNew, type NewContract } from './check-contracts.js';
import { nameOn, undecidedTerms } from './create-credit-batch.js';
import { creditBatches } from './credit-batch.kind.js';
import { creditBatchTable, findRemade, saveTotals, type CreditBatchRow } from './credit-batch.store.js';

/** Adds contracts after the last one. @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS, the errors of a new batch, UNPROCESSABLE for more than 50,000 in all, DUPLICATE_CONTRACT */
export async function addContracts(
  context: Context,
  id: string,
  contracts: readonly NewContract[],
): Promise<CreditBatchRow> {
  await requireForm(contracts);
  return inTransaction(context, async (tx) => {
    const batch = await requireOpenFor(tx, id, 'ADD', contracts);
    const ids = contracts.map(({ externalId }) => externalId);
    requireNew(contracts, new Set(await externalIdsIn(tx, batch.id, ids)));
    const lineCount = batch.lineCount + contracts.length;
    if (lineCount > maxLines) {
      const message = `would increase the batch to ${lineCount} contracts; the maximum is ${maxLines}`;
      refuse('UNPROCESSABLE', [{ path: 'contracts', message }]);
    }
    await addReceivables(tx, batch.id, batch.lineCount, contracts);
    return saveTotals(tx, { ...batch, format: 'JSON' });
  });
}

/** Removes a contract; later ones move up. @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS, NOT_FOUND for a contract that the batch does not have, UNPROCESSABLE for the last one */
export async function removeContract(context: Context, id: string, externalId: string): Promise<CreditBatchRow> {
  return inTransaction(context, async (tx) => {
    const batch = await requireLockedBatch(tx, creditBatches, id);
    transition(batch.status, 'EDIT');
    if (!(await removeReceivable(tx, batch.id, externalId)))
      throw new ApiError('NOT_FOUND', { message: 'The credit batch has no contract with this externalId' });
    if (batch.lineCount === 1) {
      const message = 'is the only contract of the batch: cancel the batch, or replace its contracts';
      refuse('UNPROCESSABLE', [{ path: 'externalId', message }]);
    }
    return saveTotals(tx, batch);
  });
}

/** @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS, and the errors of a new batch */
export async function replaceContracts(
  context: Context,
  id: string,
  contracts: readonly NewContract[],
): Promise<CreditBatchRow> {
  await requireForm(contracts);
  return inTransaction(context, async (tx) => {
    const batch = await requireOpenFor(tx, id, 'EDIT', contracts);
    await removeReceivables(tx, batch.id);
    await addReceivables(tx, batch.id, 0, contracts);
    return saveTotals(tx, { ...batch, format: 'JSON' });
  });
}

/** Locks a batch that takes contracts as a new one would. */
async function requireOpenFor(tx: Context, id: string, event: 'ADD' | 'EDIT', contracts: readonly NewContract[]) {
  const batch = await requireLockedBatch(tx, creditBatches, id);
  transition(batch.status, event);
  await requireAssignable(tx, batch);
  await requireMeaning({ mode: batch.mode, contracts }, civilDate(tx.clock.now()));
  await requireDistinct(contracts);
  return batch;
}

/** Takes contracts without errors; a repetition returns the same batch, unless that was cancelled. @throws {ApiError} BATCH_NOT_FOUND; BATCH_STATUS; FORBIDDEN and UNPROCESSABLE by the estate */
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
    if (lineCount === 0) refuse('UNPROCESSABLE', [errorAt('id', 'ALL_CONTRACTS_WRONG')]);
    const createdAt = tx.clock.now();
    const lines = { lineCount, total, fileName: null, firstLine: null };
    const batch: CreditBatchRow = {
      ...(await draftBatch(tx, createdAt, { originatorId, patrimonyId, ...lines })),
      ...undecidedTerms,
      ...{ name: nameOn(terms.originatorName, civilDate(createdAt)), mode, format, totalPurchasePrice },
      remadeFromId: rejected.id,
    };
    await addBatch(tx, creditBatchTable, batch);
    await copySound(tx, rejected, batch);
    return numberBatch(tx, creditBatchTable, batch);
  });
}
