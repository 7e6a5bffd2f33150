import { claimSettlementBatches, nextSettlementDue } from '../settlement-batches/settle.store.js';
import { processSettlementBatch } from '../settlement-batches/process-settlement-batch.js';
import { claimCreditBatches, nextCreditDue } from './credit-processing.store.js';
import type { BatchKind } from './engine.js';
import { processCreditBatch } from './process-credit-batch.js';

/** The kinds of batches that this module's engine processes. */
export const batchKinds: readonly BatchKind[] = [
  { name: 'credit batch', claim: claimCreditBatches, process: processCreditBatch, nextDue: nextCreditDue },
  {
    name: 'settlement batch',
    claim: claimSettlementBatches,
    process: processSettlementBatch,
    nextDue: nextSettlementDue,
  },
];
