import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { openPage, type ListPage, type PageInput } from '../../../shared/graphql/list-page.js';
import { countsOf, deliveriesAt, type DeliveryFilter } from './replay.store.js';
import { type DeliveryRow, findDelivery, startDelivery, addDelivery } from './delivery.store.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { wakeEngines } from '../engine/wake.js';
import { lockActiveWebhook } from '../subscriptions/own-webhook.js';
import { eventOf } from './delivery-id.js';
import { newId } from '../../../shared/kernel/ids.js';
import { bodyOf, testEventName } from '../events/event.js';

/** Lists the newest first, without gaps or repetitions by new events; takes one statement for several subscriptions, which the caller checked. @throws {ApiError} BAD_REQUEST for a wrong limit or token */
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

export function countDeliveries(context: Context, filter: DeliveryFilter): Promise<number> {
  return loaderOf(context, countsOf).load(filter);
}

/** Sends a delivery at once and with its whole schedule, even if delivered or pending. @param deliveryId or the id of its event @throws {ApiError} NOT_FOUND, CONFLICT for a deactivated subscription */
export async function redeliver(context: Context, id: string, deliveryId: string): Promise<DeliveryRow> {
  return inTransaction(context, async (tx) => {
    const subscription = await lockActiveWebhook(tx, id);
    const eventId = eventOf(subscription.id, deliveryId);
    const known = eventId !== undefined && (await startDelivery(tx, subscription.id, eventId));
    const delivery = known ? await findDelivery(tx, subscription.id, eventId) : undefined;
    if (delivery === undefined) throw new ApiError('NOT_FOUND', { message: 'The webhook has no such delivery' });
    wakeEngines(tx);
    return delivery;
  });
}

/** Sends an event `webhook.test`, without a real cause, through the same engine as any other. @throws {ApiError} NOT_FOUND, CONFLICT while the subscription is deactivated */
export async function sendTest(context: Context, id: string): Promise<DeliveryRow> {
  return inTransaction(context, async (tx) => {
    const subscription = await lockActiveWebhook(tx, id);
    const createdAt = tx.clock.now();
    const eventId = newId(createdAt.getTime());
    const type = testEventName;
    const data = { webhookId: subscription.id };
    const body = bodyOf({ type, id: eventId, createdAt: createdAt.toISOString(), data });
    const traceparent = tx.span?.headers.traceparent ?? null;
    await addDelivery(tx, subscription.id, { id: eventId, type, body, createdAt, traceparent });
    wakeEngines(tx);
    const pending = { status: 'pending', nextAttemptAt: createdAt, createdAt } as const;
    return { eventId, subscriptionId: subscription.id, type, body, ...pending };
  });
}
