import { failingWork } from '../../../shared/work/queue/work-queue.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import { settlementBatches } from '../settlement-batches/settlement-batch.kind.js';
import { watchedBatches } from './engine.js';

/** Each grows while a batch fails whenever it is processed. */
export const failingBatches = [
  failingWork(watchedBatches(creditBatches), 'credit_batch', 'batch.process_after'),
  failingWork(watchedBatches(settlementBatches), 'settlement_batch', 'batch.process_after'),
];
