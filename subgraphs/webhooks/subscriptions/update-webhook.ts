import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import { skipUnasked } from '../deliveries/delivery.store.js';
import type { Reach } from '../engine/address.js';
import { emptyAsNull } from './create-webhook.js';
import { lockOwnWebhook } from './own-webhook.js';
import { normalUrl, orderedEvents, subscriptionErrors, type SubscriptionRow } from './subscription.js';
import { saveSubscription } from './subscription.store.js';
import { announceAddress, auditedWebhook } from './trace-change.js';

/** The changes; undefined fields stay. An empty or null description removes it; nothing else may be null. */
export interface WebhookChange {
  readonly url?: string | null | undefined;
  readonly events?: readonly string[] | null | undefined;
  readonly description?: string | null | undefined;
}

/**
 * Changes the address and events of a subscription. Pending deliveries go to the new address; those of events that it asks for no longer are skipped.
 * The owner of the account is told by mail of a new address.
 * @throws {ApiError} BAD_REQUEST, NOT_FOUND
 */
export async function updateWebhook(
  context: Context,
  reach: Reach,
  id: string,
  { url, events, description }: WebhookChange,
): Promise<SubscriptionRow> {
  refuse('BAD_REQUEST', subscriptionErrors({ url, events, description: description ?? '' }, reach));
  return inTransaction(context, async (tx) => {
    const row = await lockOwnWebhook(tx, id);
    const changed = {
      ...row,
      url: url == null ? row.url : normalUrl(url),
      events: events == null ? row.events : orderedEvents(events),
      description: description === undefined ? row.description : emptyAsNull(description),
    };
    await saveSubscription(tx, changed);
    if (row.events.some((name) => !changed.events.includes(name))) await skipUnasked(tx, row.id);
    const urlChanged = changed.url !== row.url;
    const eventsChanged = changed.events.join() !== row.events.join();
    // Entries are kept for ever: none for what the log does not show.
    if (urlChanged || eventsChanged)
      await recordAudit(tx, {
        action: 'updateWebhook',
        subject: { type: 'webhook', id: row.id },
        before: auditedWebhook(row),
        after: { ...auditedWebhook(changed), urlChanged },
      });
    if (urlChanged) await announceAddress(tx, row.id, 'MOVED');
    return changed;
  });
}
