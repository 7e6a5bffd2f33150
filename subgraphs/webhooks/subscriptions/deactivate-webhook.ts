import type { Context } from '../../../shared/context.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { deactivate } from './subscription.store.js';

export interface Deactivation {
  readonly id: string;
  /** Whether the receiver said that it is gone (410). Else the last attempt of a delivery failed. */
  readonly gone: boolean;
  /** When the first attempt of that delivery was made. */
  readonly begunAt: Date;
}

/**
 * Ends deliveries to a subscription, in the transaction under way, unless another one succeeded since that first attempt.
 * What waits is skipped. The owner is told by mail: the event for it goes out once, with the one change of state.
 */
export async function deactivateWebhook(tx: Context, { id, gone, begunAt }: Deactivation): Promise<void> {
  const ended = await deactivate(tx, id, gone ? null : begunAt);
  if (ended === undefined) return;
  const { ownerId, url } = ended;
  await announce(tx, {
    topic: 'webhook.deactivated',
    key: id,
    payload: { ownerId, data: { webhookId: id, url, reason: gone ? 'GONE' : 'FAILED' } },
  });
}
