import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { BatchGraph } from '../batches/batch.resolver.js';
import { batchTypes } from '../batches/batch.type.js';
import { SettlementBatchDetail, SettlementBatchItem } from './documented-settlement-batch.type.js';
import { settlementBatches } from './settlement-batch.kind.js';
import type { SettlementBatchRow } from './settlement-batch.store.js';
import { SettlementBatch, SettlementBatchFilter } from './settlement-batch.type.js';

const names = { type: 'SettlementBatch', batches: 'settlement batches', line: 'payment' };

const Change = describeEnum('SettlementBatchUpdateKind', 'Changes of a settlement batch.', {
  SUBMITTED: 'It was submitted.',
  PROCESSED: 'Its payments are taken off the receivables and their assets.',
  REJECTED: 'It was rejected as a whole.',
  CANCELLED: 'The originator cancelled it.',
  PAYMENTS_REVERSED:
    'An operator reversed payments of one receivable in it: they show as `reversed`. The others are unaffected.',
});

const types = batchTypes(names, {
  Batch: SettlementBatch,
  Item: SettlementBatchItem,
  Change,
  errorPath: 'settlements[17].settledAmount',
  unnamedLines: true,
});

export type SettlementBatchShape = ReturnType<typeof toSettlementBatch>;

/** Returns a batch with the fields of its type in the graph and of its documented types. */
export function toSettlementBatch({ lineCount, total, ...row }: SettlementBatchRow) {
  return { ...row, settlementCount: lineCount, totalSettledAmount: total };
}

/** Settlement batches in the graph. */
export const settlementBatchGraph: BatchGraph<SettlementBatchRow, SettlementBatchShape> = {
  kind: settlementBatches,
  show: toSettlementBatch,
  names,
  types: { ...types, Batch: SettlementBatch, Detail: SettlementBatchDetail },
  Filter: SettlementBatchFilter,
  fields: {
    one: 'settlementBatch',
    list: 'settlementBatches',
    page: 'settlementBatchList',
    updates: 'settlementBatchUpdated',
  },
  path: '/tidc/v1/settlement-batches',
};
