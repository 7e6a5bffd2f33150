import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/list-page.js';
import { countsOf, deliveriesAt, type DeliveryFilter } from './delivery-list.store.js';
import type { DeliveryRow } from './delivery.store.js';

export interface DeliveryPage extends ListPage<DeliveryRow> {
  /** Number of deliveries on all pages. */
  readonly count: number;
}

/**
 * Returns a page of a subscription's deliveries, newest event first. Events that arrive in the meantime cause no gaps or repetitions. Pages of several
 * subscriptions are read in one statement. The caller has checked whose subscription it is.
 * @throws {ApiError} BAD_REQUEST for a limit outside of 1 to 100 and for an invalid token
 */
export async function readDeliveries(
  context: Context,
  cursors: CursorCodec,
  filter: DeliveryFilter,
  input: PageInput,
): Promise<DeliveryPage> {
  const { subscriptionId, status } = filter;
  const page = openPage(cursors, input, { scope: status === null ? subscriptionId : `${subscriptionId} ${status}` });
  const range = { ...filter, after: page.after ?? null, first: page.limit + 1 };
  const [found, count] = await Promise.all([
    loaderOf(context, deliveriesAt).load(range),
    loaderOf(context, countsOf).load(filter),
  ]);
  return { ...page.take(found, ({ eventId }) => [eventId]), count };
}
