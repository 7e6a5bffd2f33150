import { loaderOf } from '../../../shared/kernel/context.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { publicSeriesByTicker } from './series.store.js';
import { toSeries } from './series-list.type.js';

/** Rule by which other subgraphs refer to a series: by ticker; one of an operation that is not public counts as missing. */
export const seriesReference: ReferenceRule = {
  access: 'data',
  resolve: async (context, { ticker }) => {
    const row = typeof ticker === 'string' ? await loaderOf(context, publicSeriesByTicker).load(ticker) : undefined;
    return row === undefined ? null : toSeries(row);
  },
};
