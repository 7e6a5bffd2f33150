import { processSettlementBatch } from '../settlement-batches/process-settlement-batch.js';
import { undecided, type BatchKind } from './engine.js';
import { processCreditBatch } from './process-credit-batch.js';

export const creditBatches: BatchKind = {
  name: 'credit batch',
  table: undecided('credit_batches'),
  process: processCreditBatch,
};

export const settlementBatches: BatchKind = {
  name: 'settlement batch',
  table: undecided('settlement_batches'),
  process: processSettlementBatch,
};

/** The kinds of batches that this module's engine processes. */
export const batchKinds: readonly BatchKind[] = [creditBatches, settlementBatches];
