import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { assetsById, type AssetRow } from './asset.store.js';
import { toAsset, type AssetShape } from './asset.type.js';

/**
 * Returns an asset as the caller may see it.
 * @param context in which the row was read: that of the past for a row of the past
 */
export async function showAsset(context: Context, row: AssetRow): Promise<AssetShape> {
  const { present, principal } = context;
  // The past is read before the present: a correction that is recorded between the two already hides the name.
  const current = present === undefined ? row : await loaderOf(present, assetsById).load(row.id);
  return toAsset(row, principal, current);
}

/** Returns assets as the caller may see them; present rows of all of them are loaded together. */
export function showAssets(context: Context, rows: readonly AssetRow[]): Promise<AssetShape[]> {
  return Promise.all(rows.map((row) => showAsset(context, row)));
}
