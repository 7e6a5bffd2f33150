import { columnsOf } from '../../../shared/database/columns.js';
import type { Manager } from '../../../shared/database/manager.js';
import { readTogether, type Reads } from '../../../shared/database/read-together.js';
import { ApiError } from '../../../shared/errors.js';
import { canBeTicker } from '../../../shared/ticker.js';
import { OperationRow } from './operation.entity.js';

/**
 * Returns the public operation with a ticker or an estate's slug, ignoring case; a ticker takes precedence over an equal
 * slug.
 * @throws {ApiError} NOT_FOUND for a missing and for a non-public one, which callers cannot tell apart
 */
export async function findPublicOperation(reads: Reads, tickerOrSlug: string): Promise<Readonly<OperationRow>> {
  const found = canBeTicker(tickerOrSlug) ? await byTickerOrSlug(reads, tickerOrSlug.toLowerCase()) : undefined;
  if (found === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such operation' });
  return found;
}

/** Returns the public operation with a ticker, ignoring case. */
export async function publicOperationByTicker(
  reads: Reads,
  ticker: string,
): Promise<Readonly<OperationRow> | undefined> {
  const name = ticker.toLowerCase();
  const found = canBeTicker(ticker) ? await byTickerOrSlug(reads, name) : undefined;
  return found?.ticker.toLowerCase() === name ? found : undefined;
}

/** Returns the public operation with an id, a UUID in lower case. */
export const publicOperationById = readTogether<Readonly<OperationRow>>(async ({ manager }, ids) => {
  const rows = await readPublic(manager, 'id = ANY ($1)', ids);
  return new Map(rows.map((row) => [row.id, row]));
});

const byTickerOrSlug = readTogether<Readonly<OperationRow>>(async ({ manager }, names) => {
  const rows = await readPublic(manager, 'lower(ticker) = ANY ($1) OR lower(slug) = ANY ($1)', names);
  const bySlug = rows.map((row) => [row.slug.toLowerCase(), row] as const);
  return new Map([...bySlug, ...rows.map((row) => [row.ticker.toLowerCase(), row] as const)]);
});

/** Uses plain SQL, because every request for a single operation runs this: the query builder would take as long as PostgreSQL itself. */
function readPublic(manager: Manager, condition: string, values: readonly string[]): Promise<OperationRow[]> {
  const columns = columnsOf(manager, OperationRow);
  return manager.rows(`SELECT ${columns} FROM issuances.operations WHERE is_public AND (${condition})`, [values]);
}
