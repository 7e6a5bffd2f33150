import { inTransaction } from '../../../shared/database/transaction.js';
import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { wakeEngines } from '../engine/wake.js';
import { lockActiveWebhook } from '../subscriptions/own-webhook.js';
import { findDelivery, startDelivery, type DeliveryRow } from './delivery.store.js';

/**
 * Sends a delivery again, at once and with its whole schedule, even if it was delivered or is pending.
 * @throws {ApiError} NOT_FOUND, CONFLICT while the subscription is deactivated
 */
export async function redeliver(context: Context, id: string, deliveryId: string): Promise<DeliveryRow> {
  return inTransaction(context, async (tx) => {
    const subscription = await lockActiveWebhook(tx, id);
    const known = isUuid(deliveryId) && (await startDelivery(tx, subscription.id, deliveryId));
    const delivery = known ? await findDelivery(tx, subscription.id, deliveryId) : undefined;
    if (delivery === undefined) throw new ApiError('NOT_FOUND', { message: 'The webhook has no such delivery' });
    wakeEngines(tx);
    return delivery;
  });
}
