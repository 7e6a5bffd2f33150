import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { seenOriginators } from '../originators/seen-originators.js';
import { findBatch, lockBatch, type CreditBatchRow, type LockedBatch } from './credit-batch.store.js';

/**
 * Returns a batch that the caller may see.
 * @throws {ApiError} BATCH_NOT_FOUND for one that does not exist or belongs to someone else.
 */
export async function ownCreditBatch(context: Context, id: string): Promise<CreditBatchRow> {
  return found(isUuid(id) ? await findBatch(context, await seenOriginators(context), id) : undefined);
}

/**
 * Returns a batch of the calling client, locked until the end of the current transaction.
 * @throws {ApiError} BATCH_NOT_FOUND
 */
export async function lockOwnCreditBatch(tx: Context, id: string): Promise<LockedBatch> {
  return found(isUuid(id) ? await lockBatch(tx, tx.principal.ownerId, id) : undefined);
}

function found<T>(batch: T | undefined): T {
  if (batch === undefined) throw new ApiError('BATCH_NOT_FOUND');
  return batch;
}
