import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { readPageInput, type PageInput } from '../../../shared/list-page.js';
import { canBeTicker } from '../../../shared/ticker.js';
import type { TrancheRow } from './tranche.store.js';
import { listTranches, type TrancheQuery } from './tranche.store.js';
import type { TrancheStatus } from './tranche.js';

/** The filter and page arguments of a caller; omitted fields do not narrow the list. */
export interface TrancheWish extends Pick<PageInput, 'names' | 'limit' | 'cursor'> {
  readonly status: TrancheStatus | null | undefined;
  readonly patrimonyTicker: string | null | undefined;
}

export interface TranchePage {
  readonly query: TrancheQuery;
  readonly rows: readonly TrancheRow[];
  /** The cursor of each row. */
  readonly cursors: readonly string[];
  readonly hasNext: boolean;
}

/**
 * Returns a page of series ordered by ticker, ignoring case, starting right after the series in the cursor, so that new
 * series cause no gaps or repetitions.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor
 */
export async function pageTranches(context: Context, codec: CursorCodec, request: TrancheWish): Promise<TranchePage> {
  const query = queryOf(request);
  const scope = JSON.stringify(['tranches', query.status, query.patrimonyTicker]);
  const read = readPageInput(codec, { ...request, scope });
  const found = await listTranches(context, query, read);
  const rows = found.slice(0, read.limit);
  const cursors = rows.map(({ ticker }) => codec.seal(scope, [ticker.toLowerCase()]));
  return { query, rows, cursors, hasNext: found.length > rows.length };
}

function queryOf({ status, patrimonyTicker }: TrancheWish): TrancheQuery {
  if (patrimonyTicker == null) return { status: status ?? null, patrimonyTicker: null };
  // An empty ticker matches no estate.
  const ticker = canBeTicker(patrimonyTicker) ? patrimonyTicker.toLowerCase() : '';
  return { status: status ?? null, patrimonyTicker: ticker };
}
