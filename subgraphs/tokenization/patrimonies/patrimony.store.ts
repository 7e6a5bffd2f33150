import type { Context } from '../../../shared/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { PatrimonyRow } from './patrimony.entity.js';

/** The estate with a ticker or slug, whatever its case; a ticker comes before a slug of the same text. */
export async function findPatrimony(context: Context, tickerOrSlug: string): Promise<PatrimonyRow | undefined> {
  const [row] = await context.manager.query<PatrimonyRow[]>(
    `SELECT ${columnsOf(context.manager, PatrimonyRow)} FROM tokenization.patrimonies
     WHERE lower(ticker) = lower($1) OR lower(slug) = lower($1)
     ORDER BY lower(ticker) = lower($1) DESC LIMIT 1`,
    [tickerOrSlug.replaceAll('\0', '')],
  );
  return row;
}

/** The estates with some ids, in their order. */
export async function patrimoniesById(
  context: Context,
  ids: readonly string[],
): Promise<(PatrimonyRow | undefined)[]> {
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
    [lower],
  );
  const byTicker = new Map(rows.map((row) => [row.ticker.toLowerCase(), row]));
  return lower.map((ticker) => byTicker.get(ticker));
}
