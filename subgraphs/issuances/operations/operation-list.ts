import type { Indexer } from '../../securities/indexer.js';
import type { SortDirection } from '../../../shared/graphql/sorted-list.js';
import type { IssueStatus } from './issue-status.js';
import type { OperationType } from './operation.js';

export const sortFields = [
  'TICKER',
  'NAME',
  'TYPE',
  'STATUS',
  'ISSUER',
  'RATING',
  'EMISSION_DATE',
  'MATURITY_DATE',
  'VOLUME',
] as const;
export type SortField = (typeof sortFields)[number];

/** What filters of operations and of series have in common. */
export interface IssueQuery {
  readonly statuses: readonly IssueStatus[];
  /** The published labels that mean one of `statuses`. */
  readonly labelsOfStatuses: readonly string[];
  readonly statusLabels: readonly string[];
  /** In lower case. */
  readonly tickers: readonly string[];
  readonly issuers: readonly string[];
  readonly ratings: readonly string[];
  readonly indexers: readonly Indexer[];
  readonly issueFrom: string | null;
  readonly issueTo: string | null;
  readonly maturityFrom: string | null;
  readonly maturityTo: string | null;
  /** Issued amount in reais. */
  readonly volumeFrom: string | null;
  readonly volumeTo: string | null;
  readonly direction: SortDirection;
}

/** Filter and order of a list of public operations; empty lists and null do not narrow it. */
export interface OperationQuery extends IssueQuery {
  readonly types: readonly OperationType[];
  /** Normalised words; the operation's search text must contain each of them. */
  readonly words: readonly string[];
  readonly sort: SortField;
  /** Ids to which the list is restricted; null for all. */
  readonly among: readonly string[] | null;
}
