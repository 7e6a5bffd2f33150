import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { readPageInput, type PageInput } from '../../../shared/list-page.js';
import type { PatrimonyRow } from './patrimony.store.js';
import { listPatrimonies } from './patrimony.store.js';

export interface PatrimonyPage {
  readonly rows: readonly PatrimonyRow[];
  /** The cursor of each row. */
  readonly cursors: readonly string[];
  readonly hasNext: boolean;
}

/**
 * Returns a page of estates ordered by ticker, ignoring case, starting right after the estate in the cursor, so that new
 * estates cause no gaps or repetitions.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or an invalid cursor
 */
export async function pagePatrimonies(
  context: Context,
  codec: CursorCodec,
  request: Pick<PageInput, 'names' | 'limit' | 'cursor'>,
): Promise<PatrimonyPage> {
  const scope = 'patrimonies';
  const read = readPageInput(codec, { ...request, scope });
  const found = await listPatrimonies(context, read);
  const rows = found.slice(0, read.limit);
  const cursors = rows.map(({ ticker }) => codec.seal(scope, [ticker.toLowerCase()]));
  return { rows, cursors, hasNext: found.length > rows.length };
}
