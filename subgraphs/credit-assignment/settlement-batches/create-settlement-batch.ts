import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { sumInTurns } from '../../../shared/decimal.js';
import { ApiError, maxDetails, refuse } from '../../../shared/errors.js';
import { isUuid, newId } from '../../../shared/ids.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { findBatch, type CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { wakeProcessing } from '../processing/wake.js';
import { requireForm, requireMeaning, type NewSettlement } from './check-settlements.js';
import { detailOf } from './refused-settlement.js';
import { settlementBatchEvent } from './settlement-batch-event.js';
import { addSettlementBatch, ownerOf, type SettlementBatchRow } from './settlement-batch.store.js';
import { addSettlements, refusalOfNew } from './settlement.store.js';
import { submitted } from './submit-settlement-batch.js';

/** A settlement batch as an originator gives it. */
export interface NewSettlementBatch {
  readonly creditBatchId: string;
  /** 1 to 50,000. */
  readonly settlements: readonly NewSettlement[];
  /** Whether it is to wait for a submit of its own. */
  readonly draft: boolean;
}

/**
 * Makes a settlement batch of the client that is calling: SUBMITTED, or DRAFT where that is asked for. Balances move when it is
 * processed, and are looked at again then.
 * @param graceMs for how long it can be cancelled once it is submitted
 * @throws {ApiError} BAD_REQUEST for what is not of the documented form, BATCH_NOT_FOUND, BATCH_STATUS for a credit batch that is
 *   not PROCESSED, UNPROCESSABLE for payments that cannot be, RECEIVABLE_SETTLED when one of them is of a receivable that
 *   nothing is open of; each with all its errors
 */
export async function createSettlementBatch(
  context: Context,
  graceMs: number,
  { creditBatchId, settlements, draft }: NewSettlementBatch,
): Promise<SettlementBatchRow> {
  await requireForm(settlements, isUuid(creditBatchId) ? [] : [{ path: 'creditBatchId', message: 'must be a UUID' }]);
  const createdAt = context.clock.now();
  return inTransaction(context, async (tx) => {
    const credit = await processedBatch(tx, creditBatchId);
    const assignedOn = civilDate(credit.processedAt ?? credit.createdAt);
    await requireMeaning(settlements, { assignedOn, today: civilDate(createdAt) });
    await requireOpen(tx, credit.id, settlements);
    const made: SettlementBatchRow = {
      id: newId(createdAt.getTime()),
      originatorId: tx.principal.ownerId,
      creditBatchId: credit.id,
      patrimonyId: credit.patrimonyId,
      status: 'DRAFT',
      settlementCount: settlements.length,
      totalSettledAmount: (await sumInTurns(settlements.map(({ settledAmount }) => settledAmount))).toFixed(2),
      rejectionReason: null,
      errorCount: 0,
      createdAt,
      submittedAt: null,
      processAfter: null,
      processedAt: null,
      cancelledAt: null,
    };
    const batch = draft ? made : submitted(made, createdAt, graceMs);
    await addSettlementBatch(tx, batch);
    await addSettlements(tx, batch.id, settlements);
    if (!draft) {
      const ownerId = await ownerOf(tx, batch.originatorId);
      await announce(tx, settlementBatchEvent('settlement_batch.submitted', { batch, ownerId }, createdAt));
      afterCommit(tx, () => {
        wakeProcessing(tx);
      });
    }
    return batch;
  });
}

/** The caller's credit batch, whose credits are assigned. */
async function processedBatch(tx: Context, id: string): Promise<CreditBatchRow> {
  const credit = await findBatch(tx, [tx.principal.ownerId], id);
  if (credit === undefined) throw new ApiError('BATCH_NOT_FOUND');
  if (credit.status === 'PROCESSED') return credit;
  throw new ApiError('BATCH_STATUS', { message: `A credit batch that is ${credit.status} takes no settlements` });
}

/** Refuses payments of what is no receivable of a credit batch, and of more than is open. */
async function requireOpen(tx: Context, creditBatchId: string, settlements: readonly NewSettlement[]): Promise<void> {
  const { refused, total, anySettled } = await refusalOfNew(tx, creditBatchId, settlements, maxDetails);
  const details = refused.map(detailOf);
  refuse(anySettled ? 'RECEIVABLE_SETTLED' : 'UNPROCESSABLE', details, total);
}
