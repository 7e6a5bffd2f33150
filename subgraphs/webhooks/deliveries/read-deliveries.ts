import { loaderOf, type Context } from '../../../shared/context.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/list-page.js';
import { countsOf, deliveriesAt, type DeliveryFilter } from './delivery-list.store.js';
import type { DeliveryRow } from './delivery.store.js';

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
): Promise<ListPage<DeliveryRow>> {
  const { subscriptionId, status } = filter;
  const page = openPage(cursors, input, { scope: status === null ? subscriptionId : `${subscriptionId} ${status}` });
  const { after, backward } = page;
  const found = await loaderOf(context, deliveriesAt).load({ ...filter, after, backward, limit: page.limit + 1 });
  return page.take(found, ({ eventId }) => [eventId]);
}

/** Returns the number of deliveries on all pages. */
export function countDeliveries(context: Context, filter: DeliveryFilter): Promise<number> {
  return loaderOf(context, countsOf).load(filter);
}
