import type { Context } from '../../../shared/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { groupBy } from '../../../shared/group-by.js';
import type { PageRange } from '../../../shared/list-page.js';
import { canBeTicker } from '../../../shared/ticker.js';
import { TrancheRow } from './tranche.entity.js';
import type { TrancheStatus } from './tranche.js';

/** Selects the series of a list; null fields do not narrow it. */
export interface TrancheQuery {
  readonly status: TrancheStatus | null;
  /** In lower case. */
  readonly patrimonyTicker: string | null;
}

const matches = `($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR patrimony_id =
  (SELECT patrimony.id FROM tokenization.patrimonies AS patrimony WHERE lower(patrimony.ticker) = $2))`;

/** Returns the series of a query ordered by lower-case ticker, one more than the page holds if there are more. */
export function listTranches(
  context: Context,
  { status, patrimonyTicker }: TrancheQuery,
  { limit, after }: PageRange,
): Promise<TrancheRow[]> {
  return context.manager.rows<TrancheRow>(
    `SELECT ${columnsOf(context.manager, TrancheRow)} FROM tokenization.tranches
     WHERE ${matches} AND lower(ticker) > $3 ORDER BY lower(ticker) LIMIT $4`,
    [status, patrimonyTicker, after ?? '', limit + 1],
  );
}

export async function countTranches(context: Context, { status, patrimonyTicker }: TrancheQuery): Promise<number> {
  const row = await context.manager.row<{ count: number }>(
    `SELECT count(*)::int AS count FROM tokenization.tranches WHERE ${matches}`,
    [status, patrimonyTicker],
  );
  return row?.count ?? 0;
}

/** Returns the series with the given ids, in the order of the ids. */
export async function tranchesById(context: Context, ids: readonly string[]): Promise<(TrancheRow | undefined)[]> {
  const rows = await context.manager.rows<TrancheRow>(
    `SELECT ${columnsOf(context.manager, TrancheRow)} FROM tokenization.tranches WHERE id = ANY ($1)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** Returns the series with a ticker, ignoring case. */
export async function findTranche(context: Context, ticker: string): Promise<TrancheRow | undefined> {
  return (await tranchesByTicker(context, [ticker]))[0];
}

/** Returns the series with the given tickers, ignoring case, in the order of the tickers. */
export async function tranchesByTicker(
  context: Context,
  tickers: readonly string[],
): Promise<(TrancheRow | undefined)[]> {
  const lower = tickers.map((ticker) => ticker.toLowerCase());
  const rows = await context.manager.rows<TrancheRow>(
    `SELECT ${columnsOf(context.manager, TrancheRow)} FROM tokenization.tranches WHERE lower(ticker) = ANY ($1)`,
    [lower.filter(canBeTicker)],
  );
  const byTicker = new Map(rows.map((row) => [row.ticker.toLowerCase(), row]));
  return lower.map((ticker) => byTicker.get(ticker));
}

/** Maximum number of series that are read with an estate. */
export const mostTranchesOfPatrimony = 100;

/** Returns the first series of each estate, by ticker, in the order of the estates. */
export async function tranchesOfPatrimonies(
  context: Context,
  patrimonyIds: readonly string[],
): Promise<TrancheRow[][]> {
  const rows = await context.manager.rows<TrancheRow>(
    `SELECT tranche.* FROM unnest($1::uuid[]) AS patrimony (id) CROSS JOIN LATERAL (
       SELECT ${columnsOf(context.manager, TrancheRow)} FROM tokenization.tranches
       WHERE patrimony_id = patrimony.id ORDER BY lower(ticker) LIMIT $2) AS tranche`,
    [patrimonyIds, mostTranchesOfPatrimony],
  );
  const groups = groupBy(rows, ({ patrimonyId }) => patrimonyId);
  return patrimonyIds.map((id) => groups.get(id) ?? []);
}
