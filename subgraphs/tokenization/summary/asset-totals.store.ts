import type { Context } from '../../../shared/context.js';
import type { AssetTotal } from './asset-summary.js';

/** Returns the maintained totals of one estate, or of all when it is null. */
export function assetTotals(context: Context, patrimonyId: string | null): Promise<AssetTotal[]> {
  return context.manager.rows<AssetTotal>(
    `SELECT type, status, sum(count)::float8 AS count, sum(original_value)::text AS "originalValue",
       sum(current_balance)::text AS "currentBalance", sum(received)::text AS received
     FROM tokenization.asset_totals WHERE $1::uuid IS NULL OR patrimony_id = $1 GROUP BY type, status`,
    [patrimonyId],
  );
}
