import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { refuse, unless, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { connectionPage, openPage, scopeOf, type ConnectionArguments } from '../../../shared/graphql/list-page.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import {
  countRequests,
  groupErrors,
  listRequests,
  type ErrorGroupRow,
  type LoggedRow,
  type RequestFilter,
  type VisibleRequests,
} from './request-log.store.js';

const maxPath = 200;
export const maxGroups = 100;

/** Reads the requests made with keys of the calling account in the last `days` days, newest first. @throws {ApiError} BAD_REQUEST for an invalid filter or page */
export async function readRequests<T>(
  context: Context,
  codec: CursorCodec,
  days: number,
  { filter, ...args }: ConnectionArguments & { readonly filter: RequestFilter },
  toNode: (row: LoggedRow) => T,
): Promise<Connection<T>> {
  const wanted = valid(filter);
  const { ownerId } = context.principal;
  const visible = visibleTo(context, days);
  const page = openPage(codec, connectionPage(args), { scope: scopeOf({ list: 'requests', ownerId, ...wanted }) });
  const found = await listRequests(context, visible, wanted, page);
  return toConnection(
    page.take(found, ({ exactAt, id }) => [exactAt, id]),
    toNode,
    () => countRequests(context, visible, wanted),
  );
}

/** Counts the failed requests with keys of the calling account by path, status and code: at most 100 groups, the most frequent first. @throws {ApiError} BAD_REQUEST for an invalid filter */
export function readErrors(
  context: Context,
  days: number,
  filter: Pick<RequestFilter, 'from' | 'to' | 'keyId'>,
): Promise<ErrorGroupRow[]> {
  return groupErrors(context, visibleTo(context, days), valid(filter), maxGroups);
}

const dayMs = 86_400_000;

/** @param days for which requests are kept */
function visibleTo({ principal, clock }: Context, days: number): VisibleRequests {
  return { accountId: principal.ownerId, since: new Date(clock.now().getTime() - days * dayMs) };
}

/** Returns the fields of a filter in a fixed order: cursors are bound to them. */
function valid({ from, to, status, path, keyId, requestId }: RequestFilter): RequestFilter {
  const isPeriod = from == null || to == null || Date.parse(from) <= Date.parse(to);
  const isStatus = status == null || (status >= 1 && status <= 5) || (status >= 100 && status <= 599);
  refuse('BAD_REQUEST', [
    ...unless(isPeriod, errorAt('filter.to', 'NOT_BEFORE', { field: 'from' })),
    ...unless(isStatus, errorAt('filter.status', 'STATUS_FORM')),
    ...unless((path ?? '').length <= maxPath, errorAt('filter.path', 'TEXT_TOO_LONG', { max: maxPath })),
    ...unless(keyId == null || isUuid(keyId), errorAt('filter.keyId', 'KEY_ID')),
    ...unless(requestId == null || isUuid(requestId), errorAt('filter.requestId', 'REQUEST_ID_FORM')),
  ]);
  return {
    from: from ?? null,
    to: to ?? null,
    status: status ?? null,
    path: path ?? null,
    keyId: keyId ?? null,
    requestId: requestId ?? null,
  };
}
