import type { Context } from '../../../shared/kernel/context.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { AssetDimension, AssetGroup } from './asset-summary.type.js';
import type { AssetTotal } from './asset-summary.js';

/** Maximum number of groups, those with the largest balance. */
export const mostGroups = 1000;

/** Returns the maintained totals of one estate, or of all, added up by the given dimensions. */
export function assetGroups(
  { manager }: Context,
  patrimonyId: string | null,
  by: readonly AssetDimension[],
): Promise<Shape<AssetGroup>[]> {
  return manager.rows<Shape<AssetGroup>>(
    `SELECT patrimony_ticker AS "patrimonyTicker", patrimony_name AS "patrimonyName", type, status,
       sum(count)::float8 AS count, sum(original_value)::text AS "originalValue",
       sum(current_balance)::text AS "currentBalance", sum(received)::text AS received,
       coalesce(round(100 * sum(current_balance)
         / nullif(sum(sum(current_balance)) OVER (PARTITION BY patrimony_ticker), 0), 2), 0)::numeric(12, 2)::text AS "balanceShare"
     FROM (
       SELECT CASE WHEN $2 THEN patrimony.ticker END AS patrimony_ticker,
         CASE WHEN $2 THEN patrimony.name END AS patrimony_name, CASE WHEN $3 THEN total.type END AS type,
         CASE WHEN $4 THEN total.status END AS status, total.count, total.original_value, total.current_balance, total.received
       FROM tokenization.asset_totals AS total JOIN tokenization.patrimonies AS patrimony ON patrimony.id = total.patrimony_id
       WHERE ($1::uuid IS NULL OR total.patrimony_id = $1) AND total.count > 0) AS part
     GROUP BY patrimony_ticker, patrimony_name, type, status
     ORDER BY sum(current_balance) DESC, patrimony_ticker, type, status LIMIT $5`,
    [patrimonyId, by.includes('PATRIMONY'), by.includes('TYPE'), by.includes('STATUS'), mostGroups],
  );
}

export function assetTotals(context: Context, patrimonyId: string | null): Promise<AssetTotal[]> {
  return context.manager.rows<AssetTotal>(
    `SELECT type, status, sum(count)::float8 AS count, sum(original_value)::text AS "originalValue",
       sum(current_balance)::text AS "currentBalance", sum(received)::text AS received, sum(surplus)::text AS surplus,
       sum(abated)::text AS abated
     FROM tokenization.asset_totals WHERE $1::uuid IS NULL OR patrimony_id = $1 GROUP BY type, status`,
    [patrimonyId],
  );
}
