import { loaderOf } from '../../../shared/context.js';
import { isUuid } from '../../../shared/ids.js';
import type { ReferenceRule } from '../../../shared/subgraph/references.js';
import { seenBatchesById } from '../credit-batches/credit-batch-list.store.js';
import { toCreditBatch } from '../credit-batches/credit-batch.type.js';

/** Resolves estates and assets by id; tokenization decides whether they exist. */
export const byIdReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { id }) => (typeof id === 'string' && isUuid(id) ? { id } : null),
};

/** Resolves references of other subgraphs to a credit batch by id, for callers who may see it. */
export const creditBatchReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, { id }) => {
    if (typeof id !== 'string' || !isUuid(id)) return null;
    const row = await loaderOf(context, seenBatchesById).load(id.toLowerCase());
    return row === undefined ? null : toCreditBatch(row);
  },
};
