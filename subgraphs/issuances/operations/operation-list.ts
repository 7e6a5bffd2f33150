import type { IssueQuery } from './issue-filter.js';
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

/** Filter and order of a list of public operations; empty lists and null do not narrow it. */
export interface OperationQuery extends IssueQuery {
  readonly types: readonly OperationType[];
  /** Normalised words; the operation's search text must contain each of them. */
  readonly words: readonly string[];
  readonly sort: SortField;
  /** Ids to which the list is restricted; null for all. */
  readonly among: readonly string[] | null;
}
