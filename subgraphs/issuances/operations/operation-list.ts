import type { OperationType } from './operation.js';

export const sortFields = ['TICKER', 'NAME', 'EMISSION_DATE', 'MATURITY_DATE', 'VOLUME'] as const;
export type SortField = (typeof sortFields)[number];
export type SortDirection = 'ASC' | 'DESC';

/** Which public operations are listed, and in what order. */
export interface OperationQuery {
  readonly types: readonly OperationType[];
  readonly statuses: readonly string[];
  /** Words, normalised: each of them is in the operation's search text. */
  readonly words: readonly string[];
  readonly maturityFrom: string | null;
  readonly maturityTo: string | null;
  readonly sort: SortField;
  readonly direction: SortDirection;
}

/** What a cursor of a list belongs to. */
export function scopeOf(query: OperationQuery): string {
  const { types, statuses, words, maturityFrom, maturityTo, sort, direction } = query;
  return JSON.stringify([types, statuses, words, maturityFrom, maturityTo, sort, direction]);
}
