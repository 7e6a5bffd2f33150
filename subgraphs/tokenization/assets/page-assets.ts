import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { connectionPage, openPage, type ConnectionArguments, type ListPage } from '../../../shared/list-page.js';
import { afterAll, beforeAll, keyOf, partsOf, placeOf, type AssetQuery } from './asset-list.js';
import { assetsOfPatrimonies, type AssetRow } from './asset.store.js';
import type { ReadAssets } from './read-assets.js';

/** A page of assets with the number of assets on all pages. */
export interface AssetsPage extends ListPage<AssetRow> {
  readonly total: number;
}

/**
 * Returns a page of the assets of a query, in the order of their registration. It continues at the places that were read, also where the asset of
 * one no longer matches a cached search.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor
 */
export async function pageAssets(
  context: Context,
  { read, codec }: { readonly read: ReadAssets; readonly codec: CursorCodec },
  query: AssetQuery,
  wanted: ConnectionArguments,
): Promise<AssetsPage> {
  const page = openPage(codec, connectionPage(wanted), { scope: keyOf(query) });
  const { backward, limit } = page;
  const { rows, total, first, last, hasMore } = await read(context, query, {
    after: page.after ?? null,
    backward,
    offset: 0,
    limit,
  });
  const sealed = (place: string | null) => (place === null ? null : page.seal([place]));
  const behind = page.after !== undefined;
  return {
    rows,
    total,
    cursorAt: (index) => {
      const row = rows.at(index);
      return row === undefined ? null : page.seal([placeOf(row)]);
    },
    hasNext: backward ? behind : hasMore,
    hasPrevious: backward ? hasMore : behind,
    startCursor: sealed(first),
    endCursor: sealed(last),
    nextToken: hasMore && !backward ? sealed(last) : null,
  };
}

/**
 * Returns a page of the assets of an estate. Pages of several estates are loaded in one query.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor
 */
export async function pageAssetsOf(
  context: Context,
  codec: CursorCodec,
  patrimonyId: string,
  wanted: ConnectionArguments,
): Promise<ListPage<AssetRow>> {
  const query = { patrimonyId, status: null, type: null, words: [] };
  const page = openPage(codec, connectionPage(wanted), { scope: keyOf(query) });
  const { backward, limit } = page;
  const after = partsOf(page.after ?? (backward ? afterAll : beforeAll));
  const rows = await loaderOf(context, assetsOfPatrimonies).load({ patrimonyId, after, backward, limit: limit + 1 });
  return page.take(rows, (row) => [placeOf(row)]);
}
