import type { Context } from '../../../shared/context.js';
import type { OpenPage } from '../../../shared/list-page.js';
import type { OperationQuery, SortDirection, SortField } from './operation-list.js';
import { maturityDate, operationColumns, type OperationRow } from './operation.store.js';

/** An operation of a sorted list. Its position there is the value that it is sorted by, as text, and its id. */
export interface ListedOperation extends OperationRow {
  readonly sortValue: string;
}

const volume = `(SELECT coalesce(sum(series.issued_total), 0) FROM issuances.series WHERE series.operation_id = operation.id)`;

/** Sort expressions, with the type in which they are compared. A missing date comes last in either direction. */
const sortKeys: Readonly<Record<SortField, (direction: SortDirection) => { expression: string; type: string }>> = {
  TICKER: () => ({ expression: `lower(operation.ticker) COLLATE "C"`, type: 'text' }),
  // Unicode collation: letters first, then accents, then case. Names are equal only if every character is.
  NAME: () => ({ expression: `operation.name COLLATE "und-x-icu"`, type: 'text' }),
  EMISSION_DATE: (direction) => ({ expression: dateKey('operation.emission_date', direction), type: 'date' }),
  MATURITY_DATE: (direction) => ({ expression: dateKey(maturityDate, direction), type: 'date' }),
  VOLUME: () => ({ expression: volume, type: 'numeric' }),
};

function dateKey(date: string, direction: SortDirection): string {
  return `coalesce(${date}, '${direction === 'ASC' ? 'infinity' : '-infinity'}'::date)`;
}

// Normalised text contains only letters, digits and spaces, so nothing has a special meaning to LIKE.
const matches = `operation.is_public AND (cardinality($1::text[]) = 0 OR operation.type = ANY ($1))
  AND (cardinality($2::text[]) = 0 OR operation.status = ANY ($2)) AND operation.search_text LIKE ALL ($3::text[])
  AND ($4::date IS NULL OR ${maturityDate} >= $4) AND ($5::date IS NULL OR ${maturityDate} <= $5)`;

/** Returns the values of the parameters of `matches`. */
function valuesOf({ types, statuses, words, maturityFrom, maturityTo }: OperationQuery): unknown[] {
  return [types, statuses, words.map((word) => `%${word}%`), maturityFrom, maturityTo];
}

/** Returns the operations after a position, one more than the page holds if there are more. */
export function listOperations(
  { manager }: Context,
  query: OperationQuery,
  { limit, position: [value, id] }: Pick<OpenPage, 'limit' | 'position'>,
): Promise<ListedOperation[]> {
  const { direction } = query;
  const { expression, type } = sortKeys[query.sort](direction);
  return manager.rows(
    `SELECT ${operationColumns}, (${expression})::text AS "sortValue" FROM issuances.operations AS operation
     WHERE ${matches} AND ($6::text IS NULL
       OR (${expression}, operation.id) ${direction === 'ASC' ? '>' : '<'} (CAST($6 AS ${type}), CAST($7 AS uuid)))
     ORDER BY ${expression} ${direction}, operation.id ${direction} LIMIT $8`,
    [...valuesOf(query), value, id, limit + 1],
  );
}

export async function countOperations({ manager }: Context, query: OperationQuery): Promise<number> {
  const { count } = await manager.one<{ count: number }>(
    `SELECT count(*)::int AS count FROM issuances.operations AS operation WHERE ${matches}`,
    valuesOf(query),
  );
  return count;
}

/** Totals over the operations of a query. */
export interface OperationFigures {
  readonly operations: number;
  readonly series: number;
  /** Issued volume in reais, 2 decimals. */
  readonly volume: string;
}

export function addUpOperations({ manager }: Context, query: OperationQuery): Promise<OperationFigures> {
  return manager.one(
    `SELECT count(DISTINCT operation.id)::int AS operations, count(series.id)::int AS series,
       coalesce(sum(series.issued_total), 0) AS volume
     FROM issuances.operations AS operation LEFT JOIN issuances.series AS series ON series.operation_id = operation.id
     WHERE ${matches}`,
    valuesOf(query),
  );
}
