import type { Context } from '../../../shared/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import type { PageRead } from '../common/list-page.js';
import { canBeName } from '../common/names.js';
import { PatrimonyRow } from './patrimony.entity.js';

/** The estate with a ticker or slug, whatever its case; a ticker comes before a slug of the same text. */
export async function findPatrimony(context: Context, tickerOrSlug: string): Promise<PatrimonyRow | undefined> {
  if (!canBeName(tickerOrSlug)) return undefined;
  const [row] = await context.manager.query<PatrimonyRow[]>(
    `SELECT ${columnsOf(context.manager, PatrimonyRow)} FROM tokenization.patrimonies
     WHERE lower(ticker) = lower($1) OR lower(slug) = lower($1)
     ORDER BY lower(ticker) = lower($1) DESC LIMIT 1`,
    [tickerOrSlug],
  );
  return row;
}

/** The estates with some ids, in their order. */
export async function patrimoniesById(context: Context, ids: readonly string[]): Promise<(PatrimonyRow | undefined)[]> {
  const rows = await context.manager.query<PatrimonyRow[]>(
    `SELECT ${columnsOf(context.manager, PatrimonyRow)} FROM tokenization.patrimonies WHERE id = ANY ($1)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** The estates with some tickers, whatever their case, in the order of the tickers. */
export async function patrimoniesByTicker(
  context: Context,
  tickers: readonly string[],
): Promise<(PatrimonyRow | undefined)[]> {
  const lower = tickers.map((ticker) => ticker.toLowerCase());
  const rows = await context.manager.query<PatrimonyRow[]>(
    `SELECT ${columnsOf(context.manager, PatrimonyRow)} FROM tokenization.patrimonies WHERE lower(ticker) = ANY ($1)`,
    [lower.filter(canBeName)],
  );
  const byTicker = new Map(rows.map((row) => [row.ticker.toLowerCase(), row]));
  return lower.map((ticker) => byTicker.get(ticker));
}

/** The estates in the order of their tickers in lower case, one more than the page holds when there are more. */
export function listPatrimonies(context: Context, { limit, after }: PageRead): Promise<PatrimonyRow[]> {
  return context.manager.query<PatrimonyRow[]>(
    `SELECT ${columnsOf(context.manager, PatrimonyRow)} FROM tokenization.patrimonies
     WHERE lower(ticker) > $1 ORDER BY lower(ticker) LIMIT $2`,
    [after ?? '', limit + 1],
  );
}

export async function countPatrimonies(context: Context): Promise<number> {
  const [row] = await context.manager.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM tokenization.patrimonies',
  );
  return row?.count ?? 0;
}

/** The newest estate that stands on each of some operations, in the order of the tickers; case does not matter. */
export async function patrimoniesByOperation(
  context: Context,
  operationTickers: readonly string[],
): Promise<(PatrimonyRow | undefined)[]> {
  const lower = operationTickers.map((ticker) => ticker.toLowerCase());
  const rows = await context.manager.query<PatrimonyRow[]>(
    `SELECT DISTINCT ON (lower(operation_ticker)) ${columnsOf(context.manager, PatrimonyRow)} FROM tokenization.patrimonies
     WHERE lower(operation_ticker) = ANY ($1) ORDER BY lower(operation_ticker), created_at DESC, id DESC`,
    [lower.filter(canBeName)],
  );
  const byOperation = new Map(rows.map((row) => [row.operationTicker?.toLowerCase(), row]));
  return lower.map((ticker) => byOperation.get(ticker));
}
