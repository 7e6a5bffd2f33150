import type { RiskClass } from '../../securities/risk-class.js';
import type { OperationType } from '../operations/operation.js';
import type { IssueQuery } from '../operations/issue-filter.js';

export const seriesSortFields = [
  'TICKER',
  'OPERATION',
  'RISK_CLASS',
  'STATUS',
  'INDEXER',
  'RATE',
  'ISSUE_DATE',
  'MATURITY_DATE',
  'UNIT_PRICE',
  'ISSUED_TOTAL',
  'RAISED_AMOUNT',
] as const;
export type SeriesSortField = (typeof seriesSortFields)[number];

/** Filter and order of a list of series of public operations; empty lists and null do not narrow it. */
export interface SeriesQuery extends IssueQuery {
  /** In lower case, as `tickers`. */
  readonly operationTickers: readonly string[];
  readonly operationTypes: readonly OperationType[];
  readonly riskClasses: readonly RiskClass[];
  readonly sort: SeriesSortField;
}
