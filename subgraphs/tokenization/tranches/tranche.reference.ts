import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { today } from '../../../shared/kernel/today.js';
import { tranchesById, tranchesByTicker } from './tranche.store.js';
import { toTranche } from './tranche.type.js';

/** Rule by which other subgraphs refer to a series: by id or by ticker. */
export const trancheReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, reference) => {
    const row = await find(context, reference['id'], reference['ticker']);
    return row === undefined ? null : toTranche(row, today(context));
  },
};

async function find(context: Context, id: unknown, ticker: unknown) {
  if (typeof id === 'string' && isUuid(id)) return loaderOf(context, tranchesById).load(id);
  if (typeof ticker === 'string') return loaderOf(context, tranchesByTicker).load(ticker);
  return undefined;
}
