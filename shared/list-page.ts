import { pageSizeOf } from './bounds.js';
import type { CursorCodec } from './cursor.js';

/** The arguments of a caller for a page of a list with cursors. */
export interface PageInput {
  /** The names of these two arguments in the caller's interface. */
  readonly names: { readonly limit: string; readonly cursor: string };
  readonly limit: number | null | undefined;
  readonly cursor: string | null | undefined;
  /** Identifies the list and filter that a cursor belongs to. */
  readonly scope: string;
}

/** The range to read: `limit` items after a key. */
export interface PageRange {
  readonly limit: number;
  readonly after: string | undefined;
}

/** Argument names of a page in the documented REST API and in the graph. */
export const documentedNames = { limit: 'limit', cursor: 'nextToken' } as const;
export const graphNames = { limit: 'first', cursor: 'after' } as const;

/**
 * Validates the arguments of a page: 20 items by default, 100 at most.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor
 */
export function readPageInput(codec: CursorCodec, { names, limit, cursor, scope }: PageInput): PageRange {
  const wanted = pageSizeOf(limit, names.limit);
  const after = cursor == null ? undefined : codec.open(scope, cursor, names.cursor)[0];
  return { limit: wanted, after };
}
