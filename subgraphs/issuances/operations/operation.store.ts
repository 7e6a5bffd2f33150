import type { EntityManager } from 'typeorm';
import { columnsOf } from '../../../shared/database/columns.js';
import { readTogether, type Reads } from '../../../shared/database/read-together.js';
import { ApiError } from '../../../shared/errors.js';
import { OperationRow } from './operation.entity.js';

/**
 * The public operation with a ticker or an estate's slug, whatever its case; a ticker comes before a slug of the same text.
 * @throws {ApiError} NOT_FOUND when there is none, or it is not public: both look alike.
 */
export async function findPublicOperation(reads: Reads, tickerOrSlug: string): Promise<Readonly<OperationRow>> {
  const found = nameForm.test(tickerOrSlug) ? await byTickerOrSlug(reads, tickerOrSlug.toLowerCase()) : undefined;
  if (found === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such operation' });
  return found;
}

/** The public operation with a ticker, whatever its case. */
export async function publicOperationByTicker(
  reads: Reads,
  ticker: string,
): Promise<Readonly<OperationRow> | undefined> {
  const name = ticker.toLowerCase();
  const found = nameForm.test(ticker) ? await byTickerOrSlug(reads, name) : undefined;
  return found?.ticker.toLowerCase() === name ? found : undefined;
}

/** The public operation with an id, a UUID in lower case. */
export const publicOperationById = readTogether<Readonly<OperationRow>>(async ({ manager }, ids) => {
  const rows = await readPublic(manager, 'id = ANY ($1)', ids);
  return new Map(rows.map((row) => [row.id, row]));
});

/** What a ticker or slug can look like; anything else need not be looked for. */
const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;

const byTickerOrSlug = readTogether<Readonly<OperationRow>>(async ({ manager }, names) => {
  const rows = await readPublic(manager, 'lower(ticker) = ANY ($1) OR lower(slug) = ANY ($1)', names);
  const bySlug = rows.map((row) => [row.slug.toLowerCase(), row] as const);
  return new Map([...bySlug, ...rows.map((row) => [row.ticker.toLowerCase(), row] as const)]);
});

/** Plain SQL, because every request for one operation passes here: the query builder takes as long as PostgreSQL does. */
function readPublic(manager: EntityManager, condition: string, values: readonly string[]): Promise<OperationRow[]> {
  const columns = columnsOf(manager, OperationRow);
  return manager.query(`SELECT ${columns} FROM issuances.operations WHERE is_public AND (${condition})`, [values]);
}
