import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { lockOwnWebhook } from './own-webhook.js';
import { type SubscriptionRow, overlapHours, normalUrl, orderedEvents, subscriptionErrors } from './subscription.js';
import { activate, removeSubscription, replaceSecret, saveSubscription } from './subscription.store.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { auditedWebhook, announceAddress } from './trace-change.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { type NewSubscription, emptyAsNull } from './create-webhook.js';
import { mintSecret, sealedSecret } from './secret.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { skipUnasked } from '../deliveries/delivery.store.js';
import type { Reach } from '../engine/address.js';

/** Skipped ones are sent only by a replay. An active subscription stays unchanged. @throws {ApiError} NOT_FOUND */
export async function activateWebhook(context: Context, id: string): Promise<SubscriptionRow> {
  return inTransaction(context, async (tx) => {
    const row = await lockOwnWebhook(tx, id);
    await activate(tx, row.id);
    return { ...row, status: 'active' };
  });
}

/** @throws {ApiError} NOT_FOUND */
export async function deleteWebhook(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const row = await lockOwnWebhook(tx, id);
    await removeSubscription(tx, row.id);
    const subject = { type: 'webhook', id: row.id };
    await recordAudit(tx, { action: 'deleteWebhook', subject, before: auditedWebhook(row) });
  });
}

/** The old secret stays valid for some hours; one from an earlier rotation ends. @param hours 0 to 168; 24 if undefined @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export async function rotateWebhookSecret(
  context: Context,
  keyRing: KeyRing,
  id: string,
  hours: number = overlapHours.usual,
): Promise<NewSubscription> {
  requireBounds({ name: 'overlapHours', value: hours, min: 0, max: overlapHours.most });
  return inTransaction(context, async (tx) => {
    const row = await lockOwnWebhook(tx, id);
    const secret = mintSecret();
    const until = new Date(tx.clock.now().getTime() + hours * 3_600_000);
    await replaceSecret(tx, row.id, keyRing.seal(sealedSecret, secret), until);
    await recordAudit(tx, {
      action: 'rotateWebhookSecret',
      subject: { type: 'webhook', id: row.id },
      after: { formerSignsUntil: until },
    });
    return { ...row, formerSecretUntil: until, secret };
  });
}

/** The changes; undefined fields stay. An empty or null description removes it; nothing else may be null. */
export interface WebhookChange {
  readonly url?: string | null | undefined;
  readonly events?: readonly string[] | null | undefined;
  readonly description?: string | null | undefined;
}

/** Pending deliveries go to the new address; those of events no longer asked for are skipped. The owner is told of a new address. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
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
