import { pageSizeOf } from '../../../shared/bounds.js';
import type { CursorCodec } from '../../../shared/cursor.js';

/** A list that goes on by cursor, as a caller asks for a page of it. */
export interface PageWish {
  /** How the caller calls the number of items, and the cursor. */
  readonly names: { readonly limit: string; readonly cursor: string };
  readonly limit: number | null | undefined;
  readonly cursor: string | null | undefined;
  /** What a cursor belongs to: list and filter. */
  readonly scope: string;
}

/** Which items to read: `limit` of them after a key. */
export interface PageRead {
  readonly limit: number;
  readonly after: string | undefined;
}

/** The documented names of a page's arguments, and those of the graph. */
export const documentedNames = { limit: 'limit', cursor: 'nextToken' } as const;
export const graphNames = { limit: 'first', cursor: 'after' } as const;

/**
 * What to read for a page: 20 items when nothing is asked for, 100 at most.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours
 */
export function readWish(codec: CursorCodec, { names, limit, cursor, scope }: PageWish): PageRead {
  const wanted = pageSizeOf(limit, names.limit);
  const after = cursor == null ? undefined : codec.open(scope, cursor, names.cursor)[0];
  return { limit: wanted, after };
}
