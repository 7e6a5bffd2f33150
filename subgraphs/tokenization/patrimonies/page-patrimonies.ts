import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/graphql/list-page.js';
import { listPatrimonies, type PatrimonyRow } from './patrimony.store.js';

/**
 * Returns a page of estates ordered by ticker, ignoring case, starting right after the estate in the cursor, so that new
 * estates cause no gaps or repetitions.
 * @param words normalised words, each of which a ticker, a slug or a name must have
 * @throws {ApiError} BAD_REQUEST for a number out of bounds, and for a cursor that is invalid or of another search
 */
export async function pagePatrimonies(
  context: Context,
  codec: CursorCodec,
  request: PageInput,
  words: readonly string[] = [],
): Promise<ListPage<PatrimonyRow>> {
  const page = openPage(codec, request, { scope: ['patrimonies', ...words].join(' ') });
  return page.take(await listPatrimonies(context, page, words), ({ ticker }) => [ticker.toLowerCase()]);
}
