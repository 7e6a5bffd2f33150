import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/list-page.js';
import { listCollections, listEvents, type ChainEventRow, type CollectionRow } from './collection.store.js';

/**
 * Returns a page of the contracts ordered by ticker of their series, starting right after the one in the cursor.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor
 */
export async function pageCollections(
  context: Context,
  codec: CursorCodec,
  request: PageInput,
): Promise<ListPage<CollectionRow>> {
  const page = openPage(codec, request, { scope: 'contracts' });
  return page.take(await listCollections(context, page), ({ trancheTicker }) => [trancheTicker.toLowerCase()]);
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
  request: PageInput,
): Promise<ListPage<ChainEventRow>> {
  const page = openPage(codec, request, { scope: `events of ${collectionId}` });
  const [block, logIndex] = page.position;
  const before = block === undefined || logIndex === undefined ? undefined : { block, logIndex };
  const found = await listEvents(context, collectionId, { limit: page.limit, before });
  return page.take(found, (event) => [event.block, String(event.logIndex)]);
}
