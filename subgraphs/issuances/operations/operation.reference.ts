import { loaderOf, type Context } from '../../../shared/context.js';
import { isUuid } from '../../../shared/ids.js';
import type { ReferenceRule } from '../../../shared/subgraph/references.js';
import { publicOperationsById, publicOperationsByTicker } from './operation.store.js';
import { toOperation } from './operation.type.js';

/** Other subgraphs refer to an operation by id or by ticker; one that is not public is none. */
export const operationReference: ReferenceRule = {
  access: 'data',
  resolve: async (context, reference) => {
    const row = await find(context, reference['id'], reference['ticker']);
    return row === undefined ? null : toOperation(row);
  },
};

async function find(context: Context, id: unknown, ticker: unknown) {
  if (typeof id === 'string' && isUuid(id)) return loaderOf(context, publicOperationsById).load(id);
  if (typeof ticker === 'string') return loaderOf(context, publicOperationsByTicker).load(ticker);
  return undefined;
}
