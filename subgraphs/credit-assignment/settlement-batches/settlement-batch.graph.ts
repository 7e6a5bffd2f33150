import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { BatchGraph } from '../batches/batch.resolver.js';
import { batchTypes } from '../batches/batch.type.js';
import { settlementBatches } from './settlement-batch.kind.js';
import type { SettlementBatchRow } from './settlement.store.js';
import { SettlementBatch, SettlementBatchFilter } from './settlement-batch.type.js';

const names = { type: 'SettlementBatch', batches: 'settlement batches', line: 'payment' };

const Change = describeEnum(
  'SettlementBatchUpdateKind',
  'Kind of an event of a settlement batch.',
  {
    SUBMITTED: 'The batch was submitted.',
    PROCESSED: 'The payments of the batch were subtracted from the balances of the receivables and their assets.',
    REJECTED: 'The whole batch was rejected.',
    CANCELLED: 'The originator cancelled the batch.',
    PAYMENTS_REVERSED:
      'An operator reversed payments of one receivable in the batch; they are marked `reversed`. The other payments remain valid.',
  },
  {
    SUBMITTED: ['Enviado', 'Submitted'],
    PROCESSED: ['Processado', 'Processed'],
    REJECTED: ['Rejeitado', 'Rejected'],
    CANCELLED: ['Cancelado', 'Cancelled'],
    PAYMENTS_REVERSED: ['Pagamentos estornados', 'Payments reversed'],
  },
);

const types = batchTypes(names, {
  Batch: SettlementBatch,
  Change,
  errorPath: 'settlements[17].settledAmount',
  unnamedLines: true,
});

export type SettlementBatchShape = ReturnType<typeof toSettlementBatch>;

export function toSettlementBatch({ lineCount, total, ...row }: SettlementBatchRow) {
  return { ...row, settlementCount: lineCount, totalSettledAmount: total };
}

export const settlementBatchGraph: BatchGraph<SettlementBatchRow, SettlementBatchShape> = {
  kind: settlementBatches,
  show: toSettlementBatch,
  names,
  types: { ...types, Batch: SettlementBatch },
  Filter: SettlementBatchFilter,
  fields: { one: 'settlementBatch', list: 'settlementBatches', updates: 'settlementBatchUpdated' },
  path: '/tidc/v1/settlement-batches',
};
