import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { BatchGraph } from '../batches/batch.resolver.js';
import { batchTypes } from '../batches/batch.type.js';
import { creditBatches } from './credit-batch.kind.js';
import { decisionOf, type CreditBatchRow } from './credit-batch.store.js';
import { CreditBatch, CreditBatchFilter } from './credit-batch.type.js';

const names = { type: 'CreditBatch', batches: 'credit batches', line: 'contract' };

const Change = describeEnum(
  'CreditBatchUpdateKind',
  'Kind of an event of a credit batch.',
  {
    SUBMITTED: 'The batch was submitted.',
    APPROVED: 'The batch passed the eligibility checks.',
    PROCESSED: 'The receivables of the batch, but refused ones, are now assets of the estate.',
    REJECTED: 'The whole batch was rejected.',
    CANCELLED: 'The originator cancelled the batch.',
  },
  {
    SUBMITTED: ['Enviado', 'Submitted'],
    APPROVED: ['Aprovado', 'Approved'],
    PROCESSED: ['Processado', 'Processed'],
    REJECTED: ['Rejeitado', 'Rejected'],
    CANCELLED: ['Cancelado', 'Cancelled'],
  },
);

const types = batchTypes(names, {
  Batch: CreditBatch,
  Change,
  errorPath: 'contracts[17].debtorDocument',
  unnamedLines: false,
});
export const CreditBatchError = types.Error;

export type CreditBatchShape = ReturnType<typeof toCreditBatch>;

export function toCreditBatch(row: CreditBatchRow) {
  const { lineCount, total, ...rest } = row;
  return { ...rest, ...decisionOf(row), receivableCount: lineCount, totalFaceValue: total };
}

export const creditBatchGraph: BatchGraph<CreditBatchRow, CreditBatchShape> = {
  kind: creditBatches,
  show: toCreditBatch,
  names,
  types: { ...types, Batch: CreditBatch },
  Filter: CreditBatchFilter,
  fields: { one: 'creditBatch', list: 'creditBatches', updates: 'creditBatchUpdated' },
  path: '/tidc/v1/credit-batches',
};
