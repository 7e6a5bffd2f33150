import type { Context } from '../../../shared/kernel/context.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import type { SubscriptionRow } from './subscription.js';

/** Returns what the audit log shows of a webhook: its events, and of its URL only the host, since the path may hold a secret. */
export function auditedWebhook({ url, events }: SubscriptionRow): Pick<SubscriptionRow, 'events'> & { host: string } {
  return { host: new URL(url).host, events };
}

/** Announces that events of the caller's account go to a new address, about which accounts mails the owner. */
export async function announceAddress(tx: Context, webhookId: string, change: 'CREATED' | 'MOVED'): Promise<void> {
  const data = { webhookId, change, at: tx.clock.now().toISOString() };
  await announce(tx, {
    topic: 'webhook.changed',
    key: webhookId,
    payload: { ownerId: tx.principal.ownerId, data },
    internal: true,
  });
}
