import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { ownCreditBatch } from '../credit-batches/own-credit-batch.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { readTerms } from '../estates/assignment.js';
import { findingsOf } from './check-batch.js';
import type { Finding } from './findings.js';
import { refusalBy } from './process-credit-batch.js';

/** The outcome that processing a batch would have now. */
export interface DryRun {
  readonly batch: CreditBatchRow;
  /** Why it would be rejected; null when it would be assigned. */
  readonly rejectionReason: string | null;
  readonly errorCount: number;
  /** The first errors of single contracts. */
  readonly errors: readonly Finding[];
}

/**
 * Runs all checks of the processing on a batch of the caller that is not processed yet, and writes nothing.
 * @throws {ApiError} BATCH_NOT_FOUND, BATCH_STATUS for a batch that is past SUBMITTED
 */
export async function dryRun(context: Context, id: string): Promise<DryRun> {
  const batch = await ownCreditBatch(context, id);
  if (batch.status !== 'DRAFT' && batch.status !== 'SUBMITTED') {
    throw new ApiError('BATCH_STATUS', {
      message: `A batch that is ${batch.status} cannot be checked: only a batch in DRAFT or SUBMITTED can`,
    });
  }
  const terms = await readTerms(context, batch.originatorId, batch.patrimonyId);
  const refusal = refusalBy(terms, batch.patrimonyId);
  if (refusal !== undefined) return { batch, rejectionReason: refusal, errorCount: 0, errors: [] };
  const findings = await findingsOf(context, batch);
  const rejectionReason = findings.count === 0 ? null : findings.reason(batch.receivableCount);
  return { batch, rejectionReason, errorCount: findings.count, errors: findings.kept };
}
