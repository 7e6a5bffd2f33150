import type { Context } from '../../../shared/context.js';

/** What an estate holds. */
export interface PatrimonyFigures {
  readonly trancheCount: number;
  readonly assetCount: number;
  /** Issue value times units of its series, drafts left out: in reais, 2 decimals. */
  readonly totalIssued: string;
}

/** What each of some estates holds, in their order. */
export async function figuresOf(context: Context, patrimonyIds: readonly string[]): Promise<PatrimonyFigures[]> {
  const rows = await context.manager.query<(PatrimonyFigures & { readonly id: string })[]>(
    `SELECT patrimony.id, tranches.count AS "trancheCount", tranches.issued AS "totalIssued",
       (SELECT coalesce(sum(count), 0)::int FROM tokenization.asset_totals WHERE patrimony_id = patrimony.id) AS "assetCount"
     FROM unnest($1::uuid[]) AS patrimony (id) CROSS JOIN LATERAL (
       SELECT count(*)::int, round(coalesce(sum(issue_value * token_quantity) FILTER (WHERE status <> 'DRAFT'), 0), 2) AS issued
       FROM tokenization.tranches WHERE patrimony_id = patrimony.id) AS tranches`,
    [patrimonyIds],
  );
  const byId = new Map(rows.map(({ id, ...figures }) => [id, figures]));
  return patrimonyIds.map((id) => byId.get(id) ?? { trancheCount: 0, assetCount: 0, totalIssued: '0.00' });
}
