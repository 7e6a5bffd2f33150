import type { SortDirection } from '../../../shared/graphql/sorted-list.js';
import type { RiskClass } from '../../securities/risk-class.js';
import type { TrancheStatus } from './tranche.js';

export const trancheSortFields = [
  'TICKER',
  'NAME',
  'STATUS',
  'RISK_CLASS',
  'INDEXER',
  'RATE',
  'REMUNERATION_START',
  'MATURITY_DATE',
  'UNIT_PRICE',
  'TOTAL_VALUE',
  'INVESTED_AMOUNT',
  'TOKEN_QUANTITY',
] as const;
export type TrancheSortField = (typeof trancheSortFields)[number];

/** Filter and order of a list of series; empty lists and null do not narrow it. */
export interface TrancheQuery {
  readonly statuses: readonly TrancheStatus[];
  /** In lower case, as `tickers`. */
  readonly patrimonyTicker: string | null;
  /** Ticker of the operation's series; absent in the cursors of a list that does not filter by it. */
  readonly seriesTicker?: string;
  readonly tickers: readonly string[];
  readonly riskClasses: readonly RiskClass[];
  /** Indexes as the database names them; an empty name, which no series has, for indexes that no series follows. */
  readonly indexers: readonly string[];
  readonly maturityFrom: string | null;
  readonly maturityTo: string | null;
  /** Issue value of all units, in reais. */
  readonly volumeFrom: string | null;
  readonly volumeTo: string | null;
  readonly sort: TrancheSortField;
  readonly direction: SortDirection;
}
