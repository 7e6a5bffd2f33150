import { columnsOf } from '../../../shared/database/columns.js';
import type { Manager } from '../../../shared/database/manager.js';
import { readTogether, type Reads } from '../../../shared/database/read-together.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { canBeTicker } from '../../securities/tickers.js';
import type { OperationType } from './operation.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';

/** A securitization operation. The migrations describe the columns, as for every table of this domain. */
export interface OperationRow {
  readonly id: string;
  readonly ticker: string;
  readonly slug: string;
  readonly type: OperationType;
  readonly isPublic: boolean;
  readonly status: string;
  readonly name: string;
  readonly sub: string;
  readonly href: string;
  readonly chips: readonly string[];
  readonly emissionNumber: string | null;
  readonly emissionDate: string | null;
  /** The latest of its series where the operation itself has none. */
  readonly maturityDate: string | null;
  readonly issuer: string | null;
  readonly issuerCnpj: string | null;
  readonly trustee: string | null;
  readonly leadCoordinator: string | null;
  readonly bookkeeper: string | null;
  readonly auditor: string | null;
  readonly backingAsset: string | null;
  readonly rating: string | null;
  readonly summaryDescription: string | null;
  readonly summarySegment: string | null;
  readonly summaryUseOfProceeds: string | null;
  readonly summaryOffering: string | null;
  readonly summaryHighlights: readonly string[];
  readonly updatedAt: Date;
}

/** SQL for the maturity of the row `operation`: the given one, else the latest of its series; NULL without series. */
export const maturityDate = `coalesce(operation.maturity_date,
  (SELECT max(series.maturity_date) FROM issuances.series AS series WHERE series.operation_id = operation.id))`;

export const operationColumns = `${columnsOf<Omit<OperationRow, 'maturityDate'>>()(
  'id ticker slug type isPublic status name sub href chips emissionNumber emissionDate::text',
  'issuer issuerCnpj trustee leadCoordinator bookkeeper auditor backingAsset rating summaryDescription',
  'summarySegment summaryUseOfProceeds summaryOffering summaryHighlights updatedAt',
)}, ${maturityDate}::text AS "maturityDate"`;

/** Looks up by ticker, slug, or slug of an estate, ignoring case, in this order. @throws {ApiError} NOT_FOUND for a missing and for a non-public operation, which callers cannot distinguish */
export async function findPublicOperation(reads: Reads, tickerOrSlug: string): Promise<OperationRow> {
  const found = await publicOperationByName(reads, tickerOrSlug);
  if (found === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such operation' });
  return found;
}

/** Returns the same operation; undefined where `findPublicOperation` throws. */
export async function publicOperationByName(reads: Reads, tickerOrSlug: string): Promise<OperationRow | undefined> {
  return canBeTicker(tickerOrSlug) ? byTickerOrSlug(reads, tickerOrSlug.toLowerCase()) : undefined;
}

export async function publicOperationByTicker(reads: Reads, ticker: string): Promise<OperationRow | undefined> {
  const found = await publicOperationByName(reads, ticker);
  return found?.ticker.toLowerCase() === ticker.toLowerCase() ? found : undefined;
}

export const publicOperationById = readTogether<OperationRow>(async ({ manager }, ids) => {
  const rows = await readPublic(manager, 'id = ANY ($1)', ids);
  return new Map(rows.map((row) => [row.id, row]));
});

const byTickerOrSlug = readTogether<OperationRow>(async ({ manager }, names) => {
  const rows = await readPublic(manager, 'lower(ticker) = ANY ($1) OR lower(slug) = ANY ($1)', names);
  const bySlug = rows.map((row) => [row.slug.toLowerCase(), row] as const);
  const found = new Map([...bySlug, ...rows.map((row) => [row.ticker.toLowerCase(), row] as const)]);
  const others = names.filter((name) => !found.has(name));
  return others.length === 0 ? found : new Map([...found, ...(await byEstate(manager, others))]);
});

async function byEstate(manager: Manager, slugs: readonly string[]): Promise<(readonly [string, OperationRow])[]> {
  const rows = await manager.rows<OperationRow & { readonly estateSlug: string }>(
    `SELECT ${operationColumns}, "estateSlug" FROM (
       SELECT lower(estate.slug) AS "estateSlug", lower(operation_ticker) AS announced, event_sequence
       FROM issuances.estate_slugs AS estate WHERE lower(estate.slug) = ANY ($1)
     ) AS estate JOIN issuances.operations AS operation ON lower(operation.ticker) = announced
     WHERE operation.is_public ORDER BY event_sequence`,
    [slugs],
  );
  return rows.map(({ estateSlug, ...row }) => [estateSlug, row]);
}

function readPublic(manager: Manager, condition: string, values: readonly string[]): Promise<OperationRow[]> {
  return manager.rows(
    `SELECT ${operationColumns} FROM issuances.operations AS operation WHERE is_public AND (${condition})`,
    [values],
  );
}

/** Finds an operation, public or not: for operators. @throws {ApiError} NOT_FOUND */
export async function requireOperation({ manager }: Context, ticker: string): Promise<{ id: string; ticker: string }> {
  const row = await manager.row<{ id: string; ticker: string }>(
    'SELECT id, ticker FROM issuances.operations WHERE lower(ticker) = lower($1)',
    [ticker],
  );
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: `There is no operation ${ticker}` });
  return row;
}

/** Batch function that loads the child rows of several operations, for `loaderOf`. */
type ByOperation<T> = (context: Context, operationIds: readonly string[]) => Promise<T[][]>;

/** Takes one query for any number of operations. @param query selects the rows of the operations $1 in a total order */
export function byOperation<Row extends { readonly operationId: string }>(query: string): ByOperation<Row> {
  return async ({ manager }, operationIds) => {
    return groupsOf(operationIds, await manager.rows<Row>(query, [operationIds]), ({ operationId }) => operationId);
  };
}
