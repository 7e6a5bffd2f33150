import type { Context } from '../../../shared/context.js';
import { columnsOf } from '../../../shared/database/columns.js';
import { Fault } from '../../../shared/errors.js';
import { OperationRow } from './operation.entity.js';

/**
 * The public operation with a ticker or an estate's slug, whatever its case; a ticker comes before a slug of the same text.
 * @throws {Fault} NOT_FOUND when there is none, or it is not public: both look alike.
 */
export async function findPublicOperation(context: Context, tickerOrSlug: string): Promise<OperationRow> {
  const found = nameForm.test(tickerOrSlug) ? await find(context, tickerOrSlug) : null;
  if (found === null) throw new Fault('NOT_FOUND', { message: 'There is no such operation' });
  return found;
}

/** What a ticker or slug can look like; anything else need not be looked for. */
const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;

/** Plain SQL, because every request for one operation passes here: the query builder takes as long as PostgreSQL does. */
async function find(context: Context, name: string): Promise<OperationRow | null> {
  const [row] = await context.manager.query<OperationRow[]>(
    `SELECT ${columnsOf(context.manager, OperationRow)} FROM issuances.operations
     WHERE is_public AND (lower(ticker) = lower($1) OR lower(slug) = lower($1))
     ORDER BY lower(ticker) = lower($1) DESC LIMIT 1`,
    [name],
  );
  return row ?? null;
}

/** The public operations with some ids, in their order. */
export async function publicOperationsById(
  context: Context,
  ids: readonly string[],
): Promise<(OperationRow | undefined)[]> {
  const rows = await context.manager.query<OperationRow[]>(
    `SELECT ${columnsOf(context.manager, OperationRow)} FROM issuances.operations WHERE is_public AND id = ANY ($1)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

/** The public operations with some tickers, whatever their case, in the order of the tickers. */
export async function publicOperationsByTicker(
  context: Context,
  tickers: readonly string[],
): Promise<(OperationRow | undefined)[]> {
  const lower = tickers.map((ticker) => ticker.toLowerCase());
  const rows = await context.manager.query<OperationRow[]>(
    `SELECT ${columnsOf(context.manager, OperationRow)} FROM issuances.operations WHERE is_public AND lower(ticker) = ANY ($1)`,
    [lower],
  );
  const byTicker = new Map(rows.map((row) => [row.ticker.toLowerCase(), row]));
  return lower.map((ticker) => byTicker.get(ticker));
}
