import type { Indexer } from '../../../shared/format/format.js';
import type { SortDirection } from '../../../shared/sorted-list.js';
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
export interface OperationQuery {
  readonly types: readonly OperationType[];
  readonly statuses: readonly string[];
  /** In lower case. */
  readonly tickers: readonly string[];
  readonly issuers: readonly string[];
  readonly ratings: readonly string[];
  readonly indexers: readonly Indexer[];
  /** Normalised words; the operation's search text must contain each of them. */
  readonly words: readonly string[];
  readonly emissionFrom: string | null;
  readonly emissionTo: string | null;
  readonly maturityFrom: string | null;
  readonly maturityTo: string | null;
  /** Issued volume in reais. */
  readonly volumeFrom: string | null;
  readonly volumeTo: string | null;
  readonly sort: SortField;
  readonly direction: SortDirection;
}

/** Returns a text that identifies the list of a cursor. The query has its fields in a fixed order. */
export function scopeOf(query: object): string {
  return JSON.stringify(Object.values(query));
}
