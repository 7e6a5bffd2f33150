import type { BatchKind } from '../batches/batch-kind.js';
import type { BatchRow } from '../batches/batch.store.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import { settlementBatches } from '../settlement-batches/settlement-batch.kind.js';
import { type BatchWork, watchedBatches } from './engine.js';
import { processBatch } from './process-batch.js';
import { failingWork } from '../../../shared/work/queue/work-queue.js';

export const batchKinds: readonly BatchWork[] = [workOf(creditBatches), workOf(settlementBatches)];

function workOf<Row extends BatchRow>(kind: BatchKind<Row>): BatchWork {
  const { name, table } = kind;
  return { name, table, process: (context, id, lease) => processBatch(context, kind, id, lease) };
}

/** Each grows while a batch fails whenever it is processed. */
export const failingBatches = [
  failingWork(watchedBatches(creditBatches), 'credit_batch', 'batch.process_after'),
  failingWork(watchedBatches(settlementBatches), 'settlement_batch', 'batch.process_after'),
];
