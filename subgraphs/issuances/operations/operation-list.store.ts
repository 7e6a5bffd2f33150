import type { Context } from '../../../shared/context.js';
import { conditionsOf, oneOf, type Conditions } from '../../../shared/database/conditions.js';
import type { OpenPage } from '../../../shared/list-page.js';
import { byLetters, sortedSql, type SortedRow, type SortKey } from '../../../shared/sorted-list.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { OperationQuery, SortField } from './operation-list.js';
import type { OperationAddress } from './operation-list.type.js';
import { maturityDate, operationColumns, type OperationRow } from './operation.store.js';

/** An operation of a sorted list, with its position there. */
export type ListedOperation = OperationRow & SortedRow;

const volume = `(SELECT coalesce(sum(series.issued_total), 0) FROM issuances.series WHERE series.operation_id = operation.id)`;

const sortKeys: Readonly<Record<SortField, SortKey>> = {
  TICKER: { expression: `lower(operation.ticker) COLLATE "C"`, type: 'text' },
  NAME: byLetters('operation.name'),
  TYPE: byLetters('operation.type'),
  STATUS: byLetters('operation.status'),
  ISSUER: byLetters('operation.issuer', true),
  RATING: byLetters('operation.rating', true),
  EMISSION_DATE: { expression: 'operation.emission_date', type: 'date', optional: true },
  MATURITY_DATE: { expression: maturityDate, type: 'date', optional: true },
  VOLUME: { expression: volume, type: 'numeric' },
};

function conditionsFor(query: OperationQuery): Conditions {
  const conditions = conditionsOf('operation.is_public');
  const { where } = conditions;
  where(query.types, oneOf('operation.type'));
  where(query.labelsOfStatuses, oneOf('operation.status'));
  where(query.statusLabels, oneOf('operation.status'));
  where(query.tickers, oneOf('lower(operation.ticker)'));
  where(query.issuers, oneOf('operation.issuer'));
  where(query.ratings, oneOf('operation.rating'));
  where(
    query.indexers,
    (values) =>
      `EXISTS (SELECT FROM issuances.series WHERE series.operation_id = operation.id AND series.indexer = ANY (${values}))`,
  );
  // Normalised text contains only letters, digits and spaces, so nothing has a special meaning to LIKE.
  where(
    query.words.map((word) => `%${word}%`),
    (patterns) => `operation.search_text LIKE ALL (${patterns}::text[])`,
  );
  where(query.issueFrom, (day) => `operation.emission_date >= ${day}::date`);
  where(query.issueTo, (day) => `operation.emission_date <= ${day}::date`);
  where(query.maturityFrom, (day) => `${maturityDate} >= ${day}::date`);
  where(query.maturityTo, (day) => `${maturityDate} <= ${day}::date`);
  where(query.volumeFrom, (amount) => `${volume} >= ${amount}::numeric`);
  where(query.volumeTo, (amount) => `${volume} <= ${amount}::numeric`);
  return conditions;
}

/** Returns the operations of a page, one more than it holds if there are more. */
export function listOperations(
  { manager }: Context,
  query: OperationQuery,
  page: Pick<OpenPage, 'limit' | 'position' | 'backward'>,
): Promise<ListedOperation[]> {
  const { place, text, values } = conditionsFor(query);
  const tie = { expression: 'operation.id', type: 'uuid' };
  const sorted = sortedSql({ value: sortKeys[query.sort], tie, direction: query.direction }, page, place);
  return manager.rows(
    `SELECT ${operationColumns}, ${sorted.columns} FROM issuances.operations AS operation
     WHERE ${text()} AND ${sorted.condition} ORDER BY ${sorted.order} LIMIT ${place(page.limit + 1)}`,
    values,
  );
}

export function countOperations({ manager }: Context, query: OperationQuery): Promise<number> {
  const { text, values } = conditionsFor(query);
  return manager.countRows(
    `SELECT count(*)::int AS count FROM issuances.operations AS operation WHERE ${text()}`,
    values,
  );
}

/** Returns the slug of each public operation, with the tickers of its series by number. */
export function listAddresses({ manager }: Context): Promise<Shape<OperationAddress>[]> {
  return manager.rows(
    `SELECT operation.slug, array_remove(array_agg(series.ticker ORDER BY series.number), NULL) AS "seriesTickers"
     FROM issuances.operations AS operation LEFT JOIN issuances.series AS series ON series.operation_id = operation.id
     WHERE operation.is_public GROUP BY operation.id ORDER BY lower(operation.ticker) COLLATE "C"`,
  );
}

/** Names the filter of a query: what its order is makes no difference. */
export const filterKey = (query: OperationQuery): string =>
  JSON.stringify({ ...query, sort: undefined, direction: undefined });

/** Totals over the operations of a query. */
export interface OperationFigures {
  readonly operations: number;
  readonly series: number;
  /** Issued volume in reais, 2 decimals. */
  readonly volume: string;
}

export function addUpOperations({ manager }: Context, query: OperationQuery): Promise<OperationFigures> {
  const { text, values } = conditionsFor(query);
  return manager.one(
    `SELECT count(DISTINCT operation.id)::int AS operations, count(series.id)::int AS series,
       coalesce(sum(series.issued_total), 0) AS volume
     FROM issuances.operations AS operation LEFT JOIN issuances.series AS series ON series.operation_id = operation.id
     WHERE ${text()}`,
    values,
  );
}
