import type { Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/list-page.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import { countNamed, listNamedReceivables, type ReceivableRow } from './receivable.store.js';

/**
 * Returns a page of the caller's contracts with one name, in any batch, newest first: 20 by default, 100 at most.
 * @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours
 */
export async function readReceivablesNamed(
  context: Context,
  codec: CursorCodec,
  externalId: string,
  input: PageInput,
): Promise<ListPage<ReceivableRow> & { readonly count: () => Promise<number> }> {
  const page = openPage(codec, input, { scope: `named ${externalId}` });
  const originators = await visibleOriginators(context);
  const found = await listNamedReceivables(context, originators, externalId, page);
  return {
    ...page.take(found, ({ id }) => [id]),
    count: () => countNamed(context, originators, externalId),
  };
}
