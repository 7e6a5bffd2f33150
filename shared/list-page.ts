import { requireBounds } from './bounds.js';
import type { CursorCodec } from './cursor.js';

/** Argument names of a page in the documented REST API and in the graph. */
export const documentedNames = { limit: 'limit', cursor: 'nextToken' } as const;
export const graphNames = { limit: 'first', cursor: 'after' } as const;

/** The arguments of a caller for a page of a list with cursors. */
export interface PageInput {
  /** The names of these two arguments in the caller's interface, for errors; those of the graph by default. */
  readonly names?: { readonly limit: string; readonly cursor: string };
  readonly limit: number | null | undefined;
  readonly cursor: string | null | undefined;
}

/** The range to read: `limit` items after a key. */
export interface PageRange {
  readonly limit: number;
  readonly after: string | undefined;
}

/** A page of rows. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of each row. */
  readonly cursors: readonly string[];
  readonly hasNext: boolean;
  /** The cursor of the next page; null on the last page. */
  readonly nextToken: string | null;
}

/** A page whose arguments are valid, to be read. */
export interface OpenPage extends PageRange {
  /** The position in the cursor; empty for the first page. */
  readonly position: readonly string[];
  seal(position: readonly string[]): string;
  /**
   * Makes the page of the rows that were read, one more than `limit` if there are more.
   * @param positionOf the position of a row, from which the next page continues
   */
  take<Row>(found: readonly Row[], positionOf: (row: Row) => readonly string[]): ListPage<Row>;
}

/**
 * Validates the arguments of a page with a cursor.
 * `scope` identifies the list and filter that a cursor belongs to; a page has `usual` items by default and `most` at most.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor
 */
export function openPage(
  codec: CursorCodec,
  { names = graphNames, limit: wanted, cursor }: PageInput,
  { scope, usual = 20, most = 100 }: { readonly scope: string; readonly usual?: number; readonly most?: number },
): OpenPage {
  const limit = wanted ?? usual;
  requireBounds({ name: names.limit, value: limit, min: 1, max: most });
  const position = cursor == null ? [] : codec.open(scope, cursor, names.cursor);
  const seal = (place: readonly string[]) => codec.seal(scope, place);
  return {
    limit,
    position,
    after: position[0],
    seal,
    take: (found, positionOf) => {
      const rows = found.slice(0, limit);
      const cursors = rows.map((row) => seal(positionOf(row)));
      const hasNext = found.length > limit;
      return { rows, cursors, hasNext, nextToken: hasNext ? (cursors.at(-1) ?? null) : null };
    },
  };
}

/** The arguments of a caller for a numbered page, from 1. */
export interface NumberedPage {
  readonly page?: number | null | undefined;
  readonly limit?: number | null | undefined;
}

/**
 * Validates the arguments of a numbered page: page 1 by default, at most 100 items.
 * @param usual the number of items by default
 * @throws {ApiError} BAD_REQUEST for numbers out of bounds
 */
export function openNumberedPage({ page: number, limit: wanted }: NumberedPage, usual = 20) {
  const page = number ?? 1;
  const limit = wanted ?? usual;
  requireBounds(
    { name: 'page', value: page, min: 1, max: 999_999_999 },
    { name: 'limit', value: limit, min: 1, max: 100 },
  );
  const totals = (total: number) => ({ page, limit, total, totalPages: Math.ceil(total / limit) });
  return { limit, offset: (page - 1) * limit, totals };
}
