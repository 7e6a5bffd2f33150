import { inTransaction } from '../../../shared/database/transaction.js';
import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { wakeEngines } from '../engine/wake.js';
import { lockActiveWebhook } from '../subscriptions/own-webhook.js';
import { eventOf } from './delivery-id.js';
import { findDelivery, startDelivery, type DeliveryRow } from './delivery.store.js';

/**
 * Sends a delivery again, at once and with its whole schedule, even if it was delivered or is pending.
 * @param deliveryId the id of the delivery, or that of its event
 * @throws {ApiError} NOT_FOUND, CONFLICT while the subscription is deactivated
 */
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
