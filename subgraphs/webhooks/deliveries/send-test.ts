import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/ids.js';
import { wakeEngines } from '../engine/wake.js';
import { bodyOf, testEventName } from '../events/event.js';
import { lockActiveWebhook } from '../subscriptions/own-webhook.js';
import { addDelivery, type DeliveryRow } from './delivery.store.js';

/**
 * Sends an event of the type `webhook.test`, without a real cause, through the same engine as any other.
 * @throws {ApiError} NOT_FOUND, CONFLICT while the subscription is deactivated
 */
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
