import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/graphql/list-page.js';
import type { LineLoader } from './batch.store.js';
import { maxLines } from './check-lines.js';

export const linePage = { usual: 20, most: maxLines } as const;

/** Pages of several batches are loaded in one query. @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours */
export async function readLines<Row extends { readonly position: number }>(
  context: Context,
  codec: CursorCodec,
  load: LineLoader<Row>,
  batchId: string,
  input: PageInput,
): Promise<ListPage<Row>> {
  const page = openPage(codec, input, { scope: batchId, ...linePage });
  const { limit, backward } = page;
  const after = page.after === undefined ? null : Number(page.after);
  const range = { batchId, after, backward, first: limit + 1 };
  return page.take(await loaderOf(context, load).load(range), ({ position }) => [String(position)]);
}
