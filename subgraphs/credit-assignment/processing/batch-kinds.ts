import { processSettlementBatch } from '../settlement-batches/process-settlement-batch.js';
import type { BatchWork } from './engine.js';
import { processCreditBatch } from './process-credit-batch.js';

export const creditBatches: BatchWork = {
  name: 'credit batch',
  table: 'credit_assignment.credit_batches',
  process: processCreditBatch,
};

export const settlementBatches: BatchWork = {
  name: 'settlement batch',
  table: 'credit_assignment.settlement_batches',
  process: processSettlementBatch,
};

/** The kinds of batches that this module's engine processes. */
export const batchKinds: readonly BatchWork[] = [creditBatches, settlementBatches];
