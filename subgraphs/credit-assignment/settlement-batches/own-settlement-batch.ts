import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { lockSettlementBatch, type LockedSettlementBatch } from './settlement-batch.store.js';

/**
 * Returns a settlement batch of the calling client, locked until the end of the current transaction.
 * @throws {ApiError} SETTLEMENT_BATCH_NOT_FOUND for one that does not exist or belongs to someone else
 */
export async function lockOwnSettlementBatch(tx: Context, id: string): Promise<LockedSettlementBatch> {
  const locked = isUuid(id) ? await lockSettlementBatch(tx, tx.principal.ownerId, id) : undefined;
  if (locked === undefined) throw new ApiError('SETTLEMENT_BATCH_NOT_FOUND');
  return locked;
}
