import { pageSizeOf } from '../../../shared/bounds.js';
import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { readPageInput, type PageInput } from '../../../shared/list-page.js';
import { listCollections, listEvents, type ChainEventRow, type CollectionRow } from './collection.store.js';

type PageRequest = Omit<PageInput, 'scope'>;

export interface Page<T> {
  readonly rows: readonly T[];
  /** Cursor of the next page; null on the last page. */
  readonly nextToken: string | null;
}

/**
 * Returns a page of the contracts ordered by ticker of their series, starting right after the one in the cursor.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor
 */
export async function pageCollections(
  context: Context,
  codec: CursorCodec,
  request: PageRequest,
): Promise<Page<CollectionRow>> {
  const scope = 'contracts';
  const read = readPageInput(codec, { ...request, scope });
  const found = await listCollections(context, read);
  const rows = found.slice(0, read.limit);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { rows, nextToken: last === undefined ? null : codec.seal(scope, [last.trancheTicker.toLowerCase()]) };
}

/**
 * Returns a page of the events of a contract's tokens, newest first, starting right after the event in the cursor, so that
 * new events cause no gaps or repetitions.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor
 */
export async function pageEvents(
  context: Context,
  codec: CursorCodec,
  collectionId: string,
  { names, limit, cursor }: PageRequest,
): Promise<Page<ChainEventRow>> {
  const scope = `events of ${collectionId}`;
  const wanted = pageSizeOf(limit, names.limit);
  const [block, logIndex] = cursor == null ? [] : codec.open(scope, cursor, names.cursor);
  const before = block === undefined || logIndex === undefined ? undefined : { block, logIndex };
  const found = await listEvents(context, collectionId, { limit: wanted, before });
  const rows = found.slice(0, wanted);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { rows, nextToken: last === undefined ? null : codec.seal(scope, [last.block, String(last.logIndex)]) };
}
