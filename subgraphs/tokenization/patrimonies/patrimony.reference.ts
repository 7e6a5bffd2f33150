import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { patrimoniesById, patrimoniesByTicker } from './patrimony.store.js';
import { toPatrimony } from './patrimony.type.js';

/** Rule by which other subgraphs refer to an estate: by id or by ticker. */
export const patrimonyReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, reference) => {
    const row = await find(context, reference['id'], reference['ticker']);
    return row === undefined ? null : toPatrimony(row);
  },
};

async function find(context: Context, id: unknown, ticker: unknown) {
  if (typeof id === 'string' && isUuid(id)) return loaderOf(context, patrimoniesById).load(id);
  if (typeof ticker === 'string') return loaderOf(context, patrimoniesByTicker).load(ticker);
  return undefined;
}
