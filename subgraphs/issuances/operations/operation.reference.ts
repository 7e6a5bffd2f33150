import type { Context } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { publicOperationById, publicOperationByTicker } from './operation.store.js';
import { toOperation } from './operation.type.js';

/** Rule by which other subgraphs refer to an operation: by id or by ticker; one that is not public counts as missing. */
export const operationReference: ReferenceRule = {
  access: 'data',
  resolve: async (context, reference) => {
    const row = await find(context, reference['id'], reference['ticker']);
    return row === undefined ? null : toOperation(row);
  },
};

async function find(context: Context, id: unknown, ticker: unknown) {
  if (typeof id === 'string' && isUuid(id)) return publicOperationById(context, id.toLowerCase());
  if (typeof ticker === 'string') return publicOperationByTicker(context, ticker);
  return undefined;
}
