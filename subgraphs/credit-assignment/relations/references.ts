import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule, References } from '../../../shared/graphql/references.js';
import { batchReference } from '../batches/require-batch.js';
import { toCreditBatch } from '../credit-batches/credit-batch.graph.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import { toSettlementBatch } from '../settlement-batches/settlement-batch.graph.js';
import { settlementBatches } from '../settlement-batches/settlement-batch.kind.js';

/** Resolves estates and assets by id; tokenization decides whether they exist. */
const byIdReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { id }) => (typeof id === 'string' && isUuid(id) ? { id } : null),
};

export const references: References = {
  CreditBatch: batchReference(creditBatches, toCreditBatch),
  SettlementBatch: batchReference(settlementBatches, toSettlementBatch),
  Patrimony: byIdReference,
  Asset: byIdReference,
};
