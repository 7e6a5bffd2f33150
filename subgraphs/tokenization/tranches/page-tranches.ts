import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/list-page.js';
import { canBeTicker } from '../../../shared/ticker.js';
import { listTranches, type TrancheQuery, type TrancheRow } from './tranche.store.js';
import type { TrancheStatus } from './tranche.js';

/** The filter and page arguments of a caller; omitted fields do not narrow the list. */
export interface TrancheListRequest extends PageInput {
  readonly status: TrancheStatus | null | undefined;
  readonly patrimonyTicker: string | null | undefined;
}

export interface TranchePage extends ListPage<TrancheRow> {
  readonly query: TrancheQuery;
}

/**
 * Returns a page of series ordered by ticker, ignoring case, starting right after the series in the cursor, so that new
 * series cause no gaps or repetitions.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor
 */
export async function pageTranches(
  context: Context,
  codec: CursorCodec,
  request: TrancheListRequest,
): Promise<TranchePage> {
  const query = queryOf(request);
  const scope = JSON.stringify(['tranches', query.status, query.patrimonyTicker]);
  const page = openPage(codec, request, { scope });
  return { query, ...page.take(await listTranches(context, query, page), ({ ticker }) => [ticker.toLowerCase()]) };
}

function queryOf({ status, patrimonyTicker }: TrancheListRequest): TrancheQuery {
  if (patrimonyTicker == null) return { status: status ?? null, patrimonyTicker: null };
  // An empty ticker matches no estate.
  const ticker = canBeTicker(patrimonyTicker) ? patrimonyTicker.toLowerCase() : '';
  return { status: status ?? null, patrimonyTicker: ticker };
}
