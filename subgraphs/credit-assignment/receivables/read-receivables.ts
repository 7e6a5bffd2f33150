import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { refuse, errorAt } from '../../../shared/kernel/errors.js';
import { dayRangeErrors } from '../../../shared/graphql/filter-values.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/graphql/list-page.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import {
  listReceivables,
  sumReceivables,
  type ReceivableQuery,
  type ReceivableTotalsRow,
  countNamed,
  listNamedReceivables,
  type ReceivableRow,
} from './receivable.store.js';

/** Lists the newest first, in any batch: 20 by default, 100 at most. @throws {ApiError} BAD_REQUEST for a number out of bounds or a cursor that is not ours */
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

type ReceivablePage = ListPage<ReceivableRow> & { readonly count: () => Promise<number> };

/** Lists receivables, of the newest batch first: 20 by default, 100 at most. @throws {ApiError} BAD_REQUEST as `readReceivablesNamed`, and for a filter that cannot be */
export async function readReceivables(
  context: Context,
  codec: CursorCodec,
  query: ReceivableQuery,
  input: PageInput,
): Promise<ReceivablePage> {
  requireQuery(query);
  const page = openPage(codec, input, { scope: JSON.stringify(['listed', Object.values(query)]) });
  const [batchId, position] = page.position;
  const place = batchId === undefined || position === undefined ? undefined : ([batchId, position] as const);
  const originators = await visibleOriginators(context);
  const found = await listReceivables(context, originators, query, { ...page, place });
  return {
    ...page.take(found, (row) => [row.batchId, String(row.position)]),
    count: async () => (await sumReceivables(context, originators, query)).count,
  };
}

/** Sums up the caller's contracts that a query selects. @throws {ApiError} BAD_REQUEST for a filter that cannot be */
export async function totalReceivables(context: Context, query: ReceivableQuery): Promise<ReceivableTotalsRow> {
  requireQuery(query);
  return sumReceivables(context, await visibleOriginators(context), query);
}

function requireQuery({ patrimonyId, dueFrom, dueTo }: ReceivableQuery): void {
  refuse('BAD_REQUEST', [
    ...(patrimonyId === null || isUuid(patrimonyId) ? [] : [errorAt('filter.patrimonyId', 'UUID_FORM')]),
    ...dayRangeErrors('filter.', { dueFrom, dueTo }),
  ]);
}
