import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { requireBatch } from '../batches/require-batch.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { previewEligibility } from './check-eligibility.js';
import type { Verdict } from './findings.js';
import { contractsOfBatch } from './checked-contracts.js';

/** Writes nothing; undefined when nothing is wrong with the batch. @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS for a batch that is past SUBMITTED */
export async function dryRun(
  context: Context,
  id: string,
): Promise<{ readonly batch: CreditBatchRow; readonly verdict: Verdict | undefined }> {
  const batch = await requireBatch(context, creditBatches, id);
  if (batch.status !== 'DRAFT' && batch.status !== 'SUBMITTED')
    throw new ApiError('BATCH_STATUS', {
      message: `A batch that is ${batch.status} cannot be checked: only a batch in DRAFT or SUBMITTED can`,
    });
  return { batch, verdict: await previewEligibility(context, contractsOfBatch(context, batch)) };
}
