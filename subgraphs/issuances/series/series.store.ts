import { type Context, today } from '../../../shared/kernel/context.js';
import { conditionsOf, oneOf, type Conditions } from '../../../shared/database/conditions.js';
import type { OpenPage } from '../../../shared/graphql/list-page.js';
import type { Indexer } from '../../securities/indexer.js';
import { canBeTicker } from '../../securities/tickers.js';
import { riskClasses, type RiskClass } from '../../securities/risk-class.js';
import { byLetters, byPlaceIn, sortedSql, type SortedRow, type SortKey } from '../../../shared/graphql/sorted-list.js';
import type { SeriesQuery, SeriesSortField } from './series-list.js';
import { itemsOf } from '../../../shared/kernel/group-by.js';
import { whereIssues } from '../operations/issue-filter.js';
import { byOperation } from '../operations/operation.store.js';
import { columnsOf } from '../../../shared/database/columns.js';

/** Labels that the engine gives to a repaid series, and to a series that was offered and not taken. */
export const [redeemed, cancelled] = ['Resgatada', 'Cancelada'] as const;

/** SQL: whether the engine keeps the book of the series `s`. */
export const isPricedByEngine = (row: string) =>
  `(${row}.engine_tranche_id IS NOT NULL AND ${row}.typed_reason IS NULL)`;

export interface SeriesRow {
  readonly id: string;
  readonly operationId: string;
  readonly number: number;
  readonly ticker: string;
  readonly class: RiskClass;
  readonly status: string;
  readonly indexer: Indexer;
  readonly indexerPercent: string;
  readonly rate: string;
  readonly remunerationLabel: string | null;
  readonly issueDate: string;
  readonly maturityDate: string;
  readonly isin: string | null;
  readonly ifCode: string | null;
  readonly unitValue: string;
  readonly quantity: string;
  readonly issuedTotal: string;
  readonly raisedAmount: string | null;
  readonly subscribedQuotas: string | null;
  readonly engineTranche: string | null;
  /** Why its prices are typed although a tranche names it. */
  readonly typedReason: string | null;
}

export const seriesColumns = columnsOf<SeriesRow>()(
  'id operationId number ticker class status indexer indexerPercent rate remunerationLabel issueDate::text',
  'maturityDate::text isin ifCode unitValue quantity issuedTotal raisedAmount subscribedQuotas engineTranche typedReason',
);

export const seriesOf = byOperation<SeriesRow>(
  `SELECT ${seriesColumns} FROM issuances.series WHERE operation_id = ANY ($1) ORDER BY number`,
);

/** Returns the series of public operations with the given tickers, ignoring case, in the order of the tickers. */
export async function publicSeriesByTicker(
  { manager }: Context,
  tickers: readonly string[],
): Promise<(SeriesRow | undefined)[]> {
  const lower = tickers.map((ticker) => ticker.toLowerCase());
  const rows = await manager.rows<SeriesRow>(
    `SELECT ${seriesColumns} FROM issuances.series
     WHERE lower(ticker) = ANY ($1) AND operation_id IN (SELECT id FROM issuances.operations WHERE is_public)`,
    [lower.filter(canBeTicker)],
  );
  return itemsOf(lower, rows, ({ ticker }) => ticker.toLowerCase());
}

export type ListedSeries = SeriesRow & SortedRow;

const from = 'issuances.series JOIN issuances.operations AS operation ON operation.id = series.operation_id';

/** @param day placeholder of the day whose price is current */
function sortKeys(field: SeriesSortField, day: () => string): SortKey {
  if (field === 'UNIT_PRICE') {
    const newest = `SELECT price.value FROM issuances.unit_prices AS price WHERE price.series_id = series.id
      AND price.date <= ${day()}::date ORDER BY price.date DESC LIMIT 1`;
    return { expression: newest, type: 'numeric', optional: true };
  }
  return columns[field];
}

const columns: Readonly<Record<Exclude<SeriesSortField, 'UNIT_PRICE'>, SortKey>> = {
  TICKER: { expression: 'lower(series.ticker) COLLATE "C"', type: 'text' },
  OPERATION: { expression: 'lower(operation.ticker) COLLATE "C"', type: 'text' },
  RISK_CLASS: byPlaceIn(riskClasses, 'series.class'),
  STATUS: byLetters('series.status'),
  INDEXER: byLetters('series.indexer'),
  RATE: { expression: 'series.rate', type: 'numeric' },
  ISSUE_DATE: { expression: 'series.issue_date', type: 'date' },
  MATURITY_DATE: { expression: 'series.maturity_date', type: 'date' },
  ISSUED_TOTAL: { expression: 'series.issued_total', type: 'numeric' },
  RAISED_AMOUNT: { expression: 'series.raised_amount', type: 'numeric', optional: true },
};

function conditionsFor(query: SeriesQuery): Conditions {
  const conditions = conditionsOf('operation.is_public');
  const { where } = conditions;
  whereIssues(conditions, query, {
    ticker: 'series.ticker',
    status: 'series.status',
    issueDate: 'series.issue_date',
    maturityDate: 'series.maturity_date',
    volume: 'series.issued_total',
  });
  where(query.operationTickers, oneOf('lower(operation.ticker)'));
  where(query.operationTypes, oneOf('operation.type'));
  where(query.indexers, oneOf('series.indexer'));
  where(query.riskClasses, oneOf('series.class'));
  return conditions;
}

/** Returns the series of a page, one more than it holds if there are more. */
export function listSeries(
  context: Context,
  query: SeriesQuery,
  page: Pick<OpenPage, 'limit' | 'position' | 'backward'>,
): Promise<ListedSeries[]> {
  const { place, text, values } = conditionsFor(query);
  const value = sortKeys(query.sort, () => place(today(context)));
  const tie = { expression: 'series.id', type: 'uuid' };
  const sorted = sortedSql({ value, tie, direction: query.direction }, page, place);
  return context.manager.rows(
    `SELECT ${seriesColumns}, "sortValue", "sortTie" FROM (
       SELECT series.*, ${sorted.columns}, row_number() OVER (ORDER BY ${sorted.order}) AS place
       FROM ${from} WHERE ${text()} AND ${sorted.condition} ORDER BY ${sorted.order} LIMIT ${place(page.limit + 1)}) AS series
     ORDER BY place`,
    values,
  );
}

export function countSeries({ manager }: Context, query: SeriesQuery): Promise<number> {
  const { text, values } = conditionsFor(query);
  return manager.countRows(`SELECT count(*)::int AS count FROM ${from} WHERE ${text()}`, values);
}
