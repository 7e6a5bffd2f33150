import type { Context } from '../../../shared/kernel/context.js';
import { announce, onAccountsDeleted } from '../../../shared/events/outbox/outbox.js';
import { deactivate, removeSubscriptionsOf } from './subscription.store.js';

export interface Deactivation {
  readonly id: string;
  /** Whether the receiver responded that it is gone (410). Otherwise the last attempt of a delivery failed. */
  readonly gone: boolean;
  /** Time of the first attempt of that delivery. */
  readonly begunAt: Date;
}

/** Does nothing if another delivery succeeded since that first attempt. Skips pending ones; the owner's mail follows from the event, announced once with the change of status. */
export async function deactivateWebhook(tx: Context, { id, gone, begunAt }: Deactivation): Promise<void> {
  const reason = gone ? 'GONE' : 'FAILED';
  const ended = await deactivate(tx, id, gone ? null : begunAt, reason);
  if (ended === undefined) return;
  const { ownerId, url } = ended;
  await announce(tx, {
    topic: 'webhook.deactivated',
    key: id,
    payload: { ownerId, data: { webhookId: id, url, reason } },
  });
}

export const endWithAccounts = onAccountsDeleted(removeSubscriptionsOf);
