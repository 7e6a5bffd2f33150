import type { OperationType } from './operation.js';

export const sortFields = ['TICKER', 'NAME', 'EMISSION_DATE', 'MATURITY_DATE', 'VOLUME'] as const;
export type SortField = (typeof sortFields)[number];
export type SortDirection = 'ASC' | 'DESC';

/** Filter and order of a list of public operations. */
export interface OperationQuery {
  readonly types: readonly OperationType[];
  readonly statuses: readonly string[];
  /** Normalised words; the operation's search text must contain each of them. */
  readonly words: readonly string[];
  readonly maturityFrom: string | null;
  readonly maturityTo: string | null;
  readonly sort: SortField;
  readonly direction: SortDirection;
}

/** Returns a text that identifies the list of a cursor. */
export function scopeOf(query: OperationQuery): string {
  const { types, statuses, words, maturityFrom, maturityTo, sort, direction } = query;
  return JSON.stringify([types, statuses, words, maturityFrom, maturityTo, sort, direction]);
}
