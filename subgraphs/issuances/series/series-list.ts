import type { RiskClass } from '../../securities/risk-class.js';
import type { Indexer } from '../../securities/indexer.js';
import type { SortDirection } from '../../../shared/graphql/sorted-list.js';
import type { IssueStatus } from '../operations/issue-status.js';
import type { OperationType } from '../operations/operation.js';

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
export interface SeriesQuery {
  /** In lower case, as `operationTickers`. */
  readonly tickers: readonly string[];
  readonly operationTickers: readonly string[];
  readonly operationTypes: readonly OperationType[];
  readonly issuers: readonly string[];
  readonly ratings: readonly string[];
  readonly indexers: readonly Indexer[];
  readonly riskClasses: readonly RiskClass[];
  readonly statuses: readonly IssueStatus[];
  /** The published labels that mean one of `statuses`. */
  readonly labelsOfStatuses: readonly string[];
  readonly statusLabels: readonly string[];
  readonly issueFrom: string | null;
  readonly issueTo: string | null;
  readonly maturityFrom: string | null;
  readonly maturityTo: string | null;
  /** Total issued amount of the series in reais. */
  readonly volumeFrom: string | null;
  readonly volumeTo: string | null;
  readonly sort: SeriesSortField;
  readonly direction: SortDirection;
}
