import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Context } from '../../../shared/context.js';
import { SeriesRow } from '../series/series.entity.js';
import { OperationRow } from './operation.entity.js';
import type { OperationQuery, SortDirection, SortField } from './operation-list.js';

/** Position of an operation in a sorted list: the sort value as text, and its id. */
export type Position = readonly [value: string, id: string];

export interface OperationPage {
  readonly rows: readonly OperationRow[];
  /** The position of each row. */
  readonly positions: readonly Position[];
  readonly hasNext: boolean;
}

const volume = `(SELECT coalesce(sum(series.issued_total), 0) FROM issuances.series WHERE series.operation_id = operation.id)`;

/** Sort expressions, with the type in which they are compared. A missing date comes last in either direction. */
const sortKeys: Readonly<Record<SortField, (direction: SortDirection) => { expression: string; type: string }>> = {
  TICKER: () => ({ expression: `lower(operation.ticker) COLLATE "C"`, type: 'text' }),
  // Unicode collation: letters first, then accents, then case. Names are equal only if every character is.
  NAME: () => ({ expression: `operation.name COLLATE "und-x-icu"`, type: 'text' }),
  EMISSION_DATE: (direction) => ({ expression: dateKey('emission_date', direction), type: 'date' }),
  MATURITY_DATE: (direction) => ({ expression: dateKey('maturity_date', direction), type: 'date' }),
  VOLUME: () => ({ expression: volume, type: 'numeric' }),
};

function dateKey(column: string, direction: SortDirection): string {
  return `coalesce(operation.${column}, '${direction === 'ASC' ? 'infinity' : '-infinity'}'::date)`;
}

/** Returns the next `limit` operations after a position. */
export async function listOperations(
  context: Context,
  query: OperationQuery,
  limit: number,
  after: Position | undefined,
): Promise<OperationPage> {
  const { expression, type } = sortKeys[query.sort](query.direction);
  const list = filtered(context, query)
    .addSelect(`(${expression})::text`, 'sort_value')
    .orderBy(expression, query.direction)
    .addOrderBy('operation.id', query.direction)
    .limit(limit + 1);
  if (after !== undefined) {
    const further = query.direction === 'ASC' ? '>' : '<';
    list.andWhere(`(${expression}, operation.id) ${further} (CAST(:value AS ${type}), CAST(:id AS uuid))`, {
      value: after[0],
      id: after[1],
    });
  }
  const { entities, raw } = await list.getRawAndEntities<{ sort_value: string }>();
  const rows = entities.slice(0, limit);
  return {
    rows,
    positions: rows.map((row, index) => [raw[index]?.sort_value ?? '', row.id]),
    hasNext: entities.length > limit,
  };
}

export function countOperations(context: Context, query: OperationQuery): Promise<number> {
  return filtered(context, query).getCount();
}

/** Totals over the operations of a query. */
export interface OperationFigures {
  readonly operations: number;
  readonly series: number;
  /** Issued volume in reais, 2 decimals. */
  readonly volume: string;
}

export async function addUpOperations(context: Context, query: OperationQuery): Promise<OperationFigures> {
  const figures = await filtered(context, query)
    .leftJoin(SeriesRow, 'series', 'series.operationId = operation.id')
    .select('count(DISTINCT operation.id)::int', 'operations')
    .addSelect('count(series.id)::int', 'series')
    .addSelect('coalesce(sum(series.issued_total), 0)', 'volume')
    .getRawOne<OperationFigures>();
  return figures ?? { operations: 0, series: 0, volume: '0' };
}

function filtered(context: Context, query: OperationQuery): SelectQueryBuilder<OperationRow> {
  const list = context.manager.createQueryBuilder(OperationRow, 'operation').where('operation.isPublic');
  const narrow = (condition: string, parameters: ObjectLiteral, wanted: boolean) => {
    if (wanted) list.andWhere(condition, parameters);
  };
  const { types, statuses, words, maturityFrom, maturityTo } = query;
  narrow('operation.type = ANY (:types)', { types }, types.length > 0);
  narrow('operation.status = ANY (:statuses)', { statuses }, statuses.length > 0);
  // Normalised text contains only letters, digits and spaces, so nothing has a special meaning to LIKE.
  const patterns = words.map((word) => `%${word}%`);
  narrow('operation.searchText LIKE ALL (:patterns)', { patterns }, words.length > 0);
  narrow('operation.maturityDate >= :maturityFrom', { maturityFrom }, maturityFrom !== null);
  narrow('operation.maturityDate <= :maturityTo', { maturityTo }, maturityTo !== null);
  return list;
}
