import { requireBounds } from '../kernel/bounds.js';
import type { CursorCodec } from './cursor.js';
import { refuse, type ErrorDetail } from '../kernel/errors.js';

export const documentedNames = { limit: 'limit', cursor: 'nextToken' } as const;
export const graphNames = { limit: 'first', cursor: 'after' } as const;

/** The arguments of a connection: `first` and `after` for a page from a cursor on, `last` and `before` for the page that ends at one. */
export interface ConnectionArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  /** The number of the page, from 1, above 1 without a cursor and without `last`; lists without the argument leave it out. */
  readonly page?: number | null | undefined;
}

export interface PageInput extends Pick<ConnectionArguments, 'last' | 'before' | 'page'> {
  /** Names of the next two arguments in the caller's interface, for errors; by default the graph's names. */
  readonly names?: { readonly limit: string; readonly cursor: string };
  readonly limit: number | null | undefined;
  readonly cursor: string | null | undefined;
}

export function connectionPage({ first, after, last, before, page }: ConnectionArguments): PageInput {
  return { limit: first, cursor: after, last, before, page };
}

export interface PageRange {
  readonly limit: number;
  /** The key beyond which the range begins; undefined for the beginning of the list, or for its end where `backward`. */
  readonly after: string | undefined;
  /** Whether the range is read against the order of the list, from the key to its beginning. */
  readonly backward: boolean;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Its number, from 1, and how many rows it has at most, where pages can be asked for by number. */
  readonly number?: number;
  readonly size?: number;
  /** Returns the cursor of the row at an index; negative ones count from the end. Null where there is no such row. */
  readonly cursorAt: (index: number) => string | null;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  /** Where the pages before and after it end and begin, if not at its first and last row. */
  readonly startCursor?: string | null;
  readonly endCursor?: string | null;
  /** The cursor of the next page; null on the last page. */
  readonly nextToken: string | null;
}

export interface OpenPage extends PageRange {
  readonly number: number;
  /** How many items beyond the key the range leaves out. */
  readonly offset: number;
  /** The position in the cursor; empty where there is none. */
  readonly position: readonly string[];
  readonly seal: (position: readonly string[]) => string;
  /** Makes the page of the rows read, one more than `limit` if there are more. @param positionOf the position from which another page continues */
  take<Row>(found: readonly Row[], positionOf: (row: Row) => readonly string[]): ListPage<Row>;
}

export interface PagedList {
  readonly scope: string;
  /** The number of items by default, 20, and at most, 100. */
  readonly usual?: number;
  readonly most?: number;
  /** Whether the page without arguments is the last one; the first one by default. */
  readonly fromEnd?: boolean;
}

/** @throws {ApiError} BAD_REQUEST for a number out of bounds, an invalid cursor, and arguments of both directions */
export function openPage(
  codec: CursorCodec,
  { names = graphNames, limit: wanted, cursor, last, before, page }: PageInput,
  { scope, usual = 20, most = 100, fromEnd = false }: PagedList,
): OpenPage {
  requireOneDirection({ first: wanted, after: cursor, last, before });
  const forward = wanted != null || cursor != null;
  const backward = last != null || before != null || (fromEnd && !forward);
  const size = backward ? last : wanted;
  const limit = size ?? usual;
  const number = page ?? 1;
  if (number > 1 && (cursor != null || before != null || last != null))
    refuse('BAD_REQUEST', [
      { path: 'page', message: 'counts from the beginning: send it without a cursor and without last' },
    ]);
  requireBounds(
    { name: 'page', value: number, min: 1, max: 999_999_999 },
    { name: backward ? 'last' : names.limit, value: limit, min: 1, max: most },
  );
  const at = backward ? before : cursor;
  const position = at == null ? [] : codec.open(scope, at, backward ? 'before' : names.cursor);
  const seal = (place: readonly string[]) => codec.seal(scope, place);
  return {
    limit,
    number,
    offset: (number - 1) * limit,
    backward,
    position,
    after: position[0],
    seal,
    take: (found, positionOf) => {
      const rows = found.slice(0, limit);
      // Beyond the row of a cursor there is at least that row.
      const [more, behind] = [found.length > limit, at != null || number > 1];
      if (backward) rows.reverse();
      const [hasNext, hasPrevious] = backward ? [behind, more] : [more, behind];
      return { ...pageOf(rows, (row) => seal(positionOf(row)), hasNext, hasPrevious), number, size: limit };
    },
  };
}

function requireOneDirection({ first, after, last, before }: ConnectionArguments): void {
  if (first == null && after == null) return;
  const others = Object.entries({ last, before }).filter(([, value]) => value != null);
  refuse(
    'BAD_REQUEST',
    others.map(([path]): ErrorDetail => ({ path, message: 'must not be sent together with `first` or `after`' })),
  );
}

function pageOf<Row>(
  rows: readonly Row[],
  cursorOf: (row: Row) => string,
  hasNext: boolean,
  hasPrevious: boolean,
): ListPage<Row> {
  const cursorAt = (index: number) => {
    const row = rows.at(index);
    return row === undefined ? null : cursorOf(row);
  };
  return { rows, cursorAt, hasNext, hasPrevious, nextToken: hasNext ? cursorAt(-1) : null };
}

/** A key by which a list is sorted, as text: dates, times and UUIDs are, and numbers of a fixed number of digits. */
export interface ListKey<Row> {
  readonly of: (row: Row) => string;
  readonly descending?: boolean;
}

/** Returns a text that identifies the list of a cursor. The query has its fields in a fixed order. */
export function scopeOf(query: object): string {
  return JSON.stringify(Object.values(query));
}

/** The key of a whole number from 0, of at most ten digits. */
export function numberKey(value: number): string {
  return String(value).padStart(10, '0');
}

/** Pages a list that was read whole. @param keys by which `rows` are sorted, distinguishing all @throws {ApiError} BAD_REQUEST as `openPage` */
export function pageOfList<Row>(
  codec: CursorCodec,
  rows: readonly Row[],
  input: PageInput,
  list: PagedList & { readonly keys: readonly ListKey<Row>[] },
): ListPage<Row> {
  const { limit, backward, position, seal } = openPage(codec, input, list);
  const place = position.length === 0 ? undefined : position;
  const positionOf = (row: Row) => positionBy(list.keys, row);
  const firstWhere = (holds: (order: number) => boolean, place: readonly string[]) => {
    const index = rows.findIndex((row) => holds(compared(positionOf(row), place, list.keys)));
    return index < 0 ? rows.length : index;
  };
  const end = place === undefined ? rows.length : firstWhere((order) => order >= 0, place);
  const start = place === undefined ? 0 : firstWhere((order) => order > 0, place);
  const [from, to] = backward ? [Math.max(0, end - limit), end] : [start, Math.min(rows.length, start + limit)];
  return pageOf(rows.slice(from, to), (row) => seal(positionOf(row)), to < rows.length, from > 0);
}

/** Returns the order of rows by their keys, for `sort`. */
export function byKeys<Row>(keys: readonly ListKey<Row>[]): (left: Row, right: Row) => number {
  return (left, right) => compared(positionBy(keys, left), positionBy(keys, right), keys);
}

function positionBy<Row>(keys: readonly ListKey<Row>[], row: Row): readonly string[] {
  return keys.map(({ of }) => of(row));
}

/** Compares two positions in a list: negative when the first one comes before the second. */
function compared(
  left: readonly string[],
  right: readonly string[],
  keys: readonly { readonly descending?: boolean }[],
): number {
  const index = left.findIndex((value, at) => value !== right[at]);
  if (index < 0) return 0;
  const ascending = (left[index] ?? '') < (right[index] ?? '') ? -1 : 1;
  return keys[index]?.descending === true ? -ascending : ascending;
}

/** SQL of a page by keys: how its rows compare with the key of the cursor, and the direction in which they are read. */
export function keyset(
  order: 'ASC' | 'DESC',
  { backward }: Pick<PageRange, 'backward'>,
): { readonly beyond: '>' | '<'; readonly direction: 'ASC' | 'DESC' } {
  return (order === 'ASC') === backward ? { beyond: '<', direction: 'DESC' } : { beyond: '>', direction: 'ASC' };
}
