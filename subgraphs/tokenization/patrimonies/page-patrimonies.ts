import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { readWish, type PageWish } from '../common/list-page.js';
import type { PatrimonyRow } from './patrimony.entity.js';
import { listPatrimonies } from './patrimony.store.js';

export interface PatrimonyPage {
  readonly rows: readonly PatrimonyRow[];
  /** Of each row: what to go on after it with. */
  readonly cursors: readonly string[];
  readonly hasNext: boolean;
}

/**
 * A page of the estates in the order of their tickers, whatever the case. It goes on exactly after the estate that the
 * cursor names, so that nothing is skipped or repeated while others come.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours
 */
export async function pagePatrimonies(
  context: Context,
  codec: CursorCodec,
  wish: Pick<PageWish, 'names' | 'limit' | 'cursor'>,
): Promise<PatrimonyPage> {
  const scope = 'patrimonies';
  const read = readWish(codec, { ...wish, scope });
  const found = await listPatrimonies(context, read);
  const rows = found.slice(0, read.limit);
  const cursors = rows.map(({ ticker }) => codec.seal(scope, [ticker.toLowerCase()]));
  return { rows, cursors, hasNext: found.length > rows.length };
}
