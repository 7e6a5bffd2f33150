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

/** A settlement batch as an originator sends it. */
export interface NewSettlementBatch {
  readonly creditBatchId: string;
  /** 1 to 50,000. */
  readonly settlements: readonly NewSettlement[];
  /** Whether it waits for a submission of its own. */
  readonly draft: boolean;
}

/**
 * Creates a settlement batch of the calling client: SUBMITTED, or DRAFT on request. Balances change when it is
 * processed, and are checked again then.
 * @param graceMs how long it can be cancelled after its submission
 * @throws {ApiError} BAD_REQUEST for input that does not have the documented form, BATCH_NOT_FOUND, BATCH_STATUS for a credit batch that is
 * not PROCESSED, UNPROCESSABLE for impossible payments, RECEIVABLE_SETTLED when one of them is for a receivable without an open balance; each with all its
 * errors
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

/** Returns the caller's credit batch, which must be PROCESSED. */
async function processedBatch(tx: Context, id: string): Promise<CreditBatchRow> {
  const credit = await findBatch(tx, [tx.principal.ownerId], id);
  if (credit === undefined) throw new ApiError('BATCH_NOT_FOUND');
  if (credit.status === 'PROCESSED') return credit;
  throw new ApiError('BATCH_STATUS', {
    message: `The credit batch is ${credit.status}: payments can be reported only for a batch that is PROCESSED`,
  });
}

/** Rejects payments for anything but a receivable of the credit batch, and those above the open balance. */
async function requireOpen(tx: Context, creditBatchId: string, settlements: readonly NewSettlement[]): Promise<void> {
  const { refused, total, anySettled } = await refusalOfNew(tx, creditBatchId, settlements, maxDetails);
  const details = refused.map(detailOf);
  refuse(anySettled ? 'RECEIVABLE_SETTLED' : 'UNPROCESSABLE', details, total);
}
