import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, maxDetails, refuse, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { addBatch, numberBatch, ownerOf } from '../batches/batch.store.js';
import type { PlaceOf } from '../batches/check-lines.js';
import { requireBatch } from '../batches/require-batch.js';
import { announceSubmission, submitted, draftBatch, firstLineOf } from '../batches/batches.acts.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import {
  paymentsInBody,
  requireForm,
  requireMeaning,
  totalsOf,
  type NamedPayment,
  type NewSettlement,
  type SettlementPeriod,
} from './check-settlements.js';
import { refusalOf, refusedBy } from './refused-payment.js';
import { lockFile, numberOfSent } from './sent-file.store.js';
import { settlementBatches } from './settlement-batch.kind.js';
import { type SettlementBatchRow, addSettlements, baseDatesBefore, newEntries } from './settlement.store.js';

export interface NewSettlementBatch {
  readonly creditBatchId: string;
  /** 1 to 50,000. */
  readonly settlements: readonly NewSettlement[];
  /** Whether it waits for a submission of its own. */
  readonly draft: boolean;
  /** Name of the file that contained the batch, if any. */
  readonly fileName?: string | null;
  /** Digest of a file that counts only once. */
  readonly fileDigest?: string | null;
}

/**
 * Creates a settlement batch of the calling client: SUBMITTED, or DRAFT on request. Balances change when it is
 * processed, and are checked again then.
 * @param graceMs how long it can be cancelled after its submission
 * @param placeOf names the places of the payments in errors
 * @throws {ApiError} BAD_REQUEST for input that does not have the documented form, BATCH_NOT_FOUND, BATCH_STATUS for a credit batch that is
 * not PROCESSED, UNPROCESSABLE for impossible payments, RECEIVABLE_SETTLED when one of them is for a receivable without an open balance; each with all
 * its errors
 */
export async function createSettlementBatch(
  context: Context,
  graceMs: number,
  wish: NewSettlementBatch,
  placeOf = paymentsInBody,
): Promise<SettlementBatchRow> {
  const { creditBatchId, settlements, draft, fileName = null, fileDigest = null } = wish;
  const others = isUuid(creditBatchId) ? [] : [errorAt('creditBatchId', 'UUID_FORM')];
  await requireForm(settlements, { others, placeOf });
  const createdAt = context.clock.now();
  return inTransaction(context, async (tx) => {
    if (fileDigest !== null) await lockFile(tx, { creditBatchId, fileDigest });
    const credit = await requirePayable(tx, wish, civilDate(createdAt), placeOf);
    const { total, ...others } = await totalsOf(settlements);
    const { ownerId: originatorId } = tx.principal;
    const lines = { lineCount: settlements.length, total, firstLine: firstLineOf(settlements) };
    const made: SettlementBatchRow = {
      ...(await draftBatch(tx, createdAt, { originatorId, patrimonyId: credit.patrimonyId, ...lines, fileName })),
      ...others,
      creditBatchId: credit.id,
      fileDigest,
    };
    const unnumbered = draft ? made : submitted(made, createdAt, graceMs);
    await addBatch(tx, settlementBatches, unnumbered);
    await addSettlements(tx, unnumbered.id, settlements);
    const batch = await numberBatch(tx, settlementBatches, unnumbered);
    if (!draft) {
      const ownerId = await ownerOf(tx, originatorId);
      await announceSubmission(tx, settlementBatches, { ...batch, ownerId }, createdAt);
    }
    return batch;
  });
}

/** Checks as the creation does; returns the credit batch that they are for. @param today civil date in São Paulo @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS, UNPROCESSABLE, RECEIVABLE_SETTLED */
export async function requirePayable(
  context: Context,
  { creditBatchId, settlements, fileDigest }: Pick<NewSettlementBatch, 'creditBatchId' | 'settlements' | 'fileDigest'>,
  today: string,
  placeOf: PlaceOf,
): Promise<CreditBatchRow> {
  const credit = await processedBatch(context, creditBatchId);
  if (fileDigest != null) {
    const number = await numberOfSent(context, { creditBatchId: credit.id, fileDigest });
    refuse('UNPROCESSABLE', number === undefined ? [] : [errorAt('file', 'FILE_SENT_BEFORE', { number })]);
  }
  await requireMeaning(settlements, await periodOf(context, credit, settlements, today), placeOf);
  const { refused, total, anySettled } = await refusalOf(context, credit.id, await newEntries(settlements), maxDetails);
  const details = refused.map((one) => {
    const [field, { message }] = refusedBy(one);
    return { path: placeOf(one.position, field), message };
  });
  refuse(anySettled ? 'RECEIVABLE_SETTLED' : 'UNPROCESSABLE', details, total);
  return credit;
}

async function processedBatch(context: Context, id: string): Promise<CreditBatchRow> {
  const credit = await requireBatch(context, creditBatches, id);
  if (credit.status === 'PROCESSED') return credit;
  throw new ApiError('BATCH_STATUS', {
    message: `The credit batch is ${credit.status}: payments can be reported only for a batch that is PROCESSED`,
  });
}

/** Returns the days on which contracts of a credit batch can have been paid. Base dates are read only where a payment may need one. */
export async function periodOf(
  context: Context,
  { id, processedAt, createdAt }: CreditBatchRow,
  payments: readonly NamedPayment[],
  today: string,
): Promise<SettlementPeriod> {
  const assignedOn = civilDate(processedAt ?? createdAt);
  const isEarly = payments.some(({ settledDate }) => settledDate < assignedOn);
  return { assignedOn, baseDates: isEarly ? await baseDatesBefore(context, id, assignedOn) : new Map(), today };
}
