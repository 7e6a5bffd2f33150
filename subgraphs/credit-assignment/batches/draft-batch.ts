import { newId } from '../../../shared/kernel/ids.js';
import type { BatchRow } from './batch.store.js';

/** Returns a new batch in DRAFT. */
export function draftBatch(
  createdAt: Date,
  given: Pick<BatchRow, 'originatorId' | 'patrimonyId' | 'lineCount' | 'total'>,
): BatchRow {
  return {
    id: newId(createdAt.getTime()),
    ...given,
    status: 'DRAFT',
    rejectionReason: null,
    rejectionRules: null,
    errorCount: 0,
    createdAt,
    submittedAt: null,
    processAfter: null,
    processedAt: null,
    cancelledAt: null,
  };
}
