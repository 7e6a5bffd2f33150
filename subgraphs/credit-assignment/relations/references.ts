import { loaderOf } from '../../../shared/context.js';
import { isUuid } from '../../../shared/ids.js';
import type { ReferenceRule } from '../../../shared/subgraph/references.js';
import { seenBatchesById } from '../credit-batches/credit-batch-list.store.js';
import { toCreditBatch } from '../credit-batches/credit-batch.type.js';

/** Estates and assets come by id; whether there is one is for tokenization to say. */
export const byIdReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { id }) => (typeof id === 'string' && isUuid(id) ? { id } : null),
};

/** Other subgraphs refer to a credit batch by id; it is there for whoever may see it. */
export const creditBatchReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, { id }) => {
    if (typeof id !== 'string' || !isUuid(id)) return null;
    const row = await loaderOf(context, seenBatchesById).load(id.toLowerCase());
    return row === undefined ? null : toCreditBatch(row);
  },
};
