import type { Context } from '../../../shared/context.js';

/** Totals of an estate. */
export interface PatrimonyFigures {
  readonly trancheCount: number;
  readonly assetCount: number;
  /** Issue value times units of its series, without drafts: in reais, 2 decimals. */
  readonly totalIssued: string;
}

/** Returns the totals of each estate, in the order of the ids. */
export async function figuresOf(context: Context, patrimonyIds: readonly string[]): Promise<PatrimonyFigures[]> {
  const rows = await context.manager.rows<PatrimonyFigures & { readonly id: string }>(
    `SELECT patrimony.id, tranches.count AS "trancheCount", tranches.issued AS "totalIssued",
       (SELECT coalesce(sum(count), 0)::float8 FROM tokenization.asset_totals WHERE patrimony_id = patrimony.id) AS "assetCount"
     FROM unnest($1::uuid[]) AS patrimony (id) CROSS JOIN LATERAL (
       SELECT count(*)::int, round(coalesce(sum(issue_value * token_quantity) FILTER (WHERE status <> 'DRAFT'), 0), 2) AS issued
       FROM tokenization.tranches WHERE patrimony_id = patrimony.id) AS tranches`,
    [patrimonyIds],
  );
  const byId = new Map(rows.map(({ id, ...figures }) => [id, figures]));
  return patrimonyIds.map((id) => byId.get(id) ?? { trancheCount: 0, assetCount: 0, totalIssued: '0.00' });
}
