import type { Context } from '../../../shared/kernel/context.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { publicOperationByName } from './operation.store.js';

/** Returns the operations in the order of the names, each once, in one query. An operation that is not public is as unknown as one that does not exist. @throws {ApiError} BAD_REQUEST for more than `most` names */
export async function namedOperations(context: Context, tickers: readonly string[], most: number) {
  if (tickers.length > most) refuse('BAD_REQUEST', [{ path: 'tickers', message: `must have at most ${most} items` }]);
  const found = await Promise.all(tickers.map((ticker) => publicOperationByName(context, ticker)));
  const byId = new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, row] as const])));
  return {
    operations: [...byId.values()],
    unknownTickers: tickers.filter((_ticker, index) => found[index] === undefined),
  };
}
