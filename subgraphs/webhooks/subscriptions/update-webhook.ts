import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import type { Reach } from '../engine/address.js';
import { emptyAsNull } from './create-webhook.js';
import { lockOwnWebhook } from './own-webhook.js';
import { orderedEvents, subscriptionFaults } from './subscription.js';
import { saveSubscription, type SubscriptionRow } from './subscription.store.js';

/** What is to change; what is undefined stays. An empty description takes it away. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | undefined;
}

/**
 * Changes where a subscription leads and what it asks for. Deliveries that wait go to the new address.
 * @throws {Fault} BAD_REQUEST, NOT_FOUND
 */
export async function updateWebhook(
  context: Context,
  reach: Reach,
  id: string,
  { url, events, description }: WebhookChange,
): Promise<SubscriptionRow> {
  refuse('BAD_REQUEST', subscriptionFaults({ url, events, description: description ?? '' }, reach));
  return inTransaction(context, async (tx) => {
    const row = await lockOwnWebhook(tx, id);
    const changed = {
      ...row,
      url: url ?? row.url,
      events: events === undefined ? row.events : orderedEvents(events),
      description: description === undefined ? row.description : emptyAsNull(description),
    };
    await saveSubscription(tx, changed);
    return changed;
  });
}
