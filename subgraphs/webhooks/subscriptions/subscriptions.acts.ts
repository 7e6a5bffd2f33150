import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import {
  type SubscriptionRow,
  overlapHours,
  normalUrl,
  orderedEvents,
  subscriptionErrors,
  maxSubscriptions,
} from './subscription.js';
import {
  activate,
  removeSubscription,
  replaceSecret,
  saveSubscription,
  addSubscription,
  countInTurn,
  deactivate,
  removeSubscriptionsOf,
  lockOwnWebhook,
} from './subscription.store.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { mintSecret, sealedSecret } from './secret.js';
import { refuse, ApiError, byRule } from '../../../shared/kernel/errors.js';
import { skipUnasked } from '../deliveries/delivery.store.js';
import type { Reach } from '../engine/address.js';
import { announce, onAccountsDeleted } from '../../../shared/events/outbox/outbox.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { newId } from '../../../shared/kernel/ids.js';

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

/** Pending deliveries go to the new address; deliveries of events that are no longer asked for are skipped. The owner is notified of a new address. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
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

/** Returns a webhook for the audit log: its events, and only the host of its URL, since the path may hold a secret. */
function auditedWebhook({ url, events }: SubscriptionRow): Pick<SubscriptionRow, 'events'> & { host: string } {
  return { host: new URL(url).host, events };
}

/** Announces that events of the caller's account go to a new address, about which accounts mails the owner. */
async function announceAddress(tx: Context, webhookId: string, change: 'CREATED' | 'MOVED'): Promise<void> {
  const data = { webhookId, change, at: tx.clock.now().toISOString() };
  await announce(tx, {
    topic: 'webhook.changed',
    key: webhookId,
    payload: { ownerId: tx.principal.ownerId, data },
    internal: true,
  });
}

interface NewWebhook {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
}

type NewSubscription = SubscriptionRow & { readonly secret: string };

export interface WebhookParts extends Reach {
  readonly keyRing: KeyRing;
}

/** Creates a webhook for the calling account, whose owner is notified by mail. @throws {ApiError} BAD_REQUEST for a forbidden address and for unknown events, CONFLICT when the account has a hundred */
export async function createWebhook(
  context: Context,
  { keyRing, allowInsecure }: WebhookParts,
  { url, events, description }: NewWebhook,
): Promise<NewSubscription> {
  refuse('BAD_REQUEST', subscriptionErrors({ url, events, description: description ?? '' }, { allowInsecure }));
  return inTransaction(context, async (tx) => {
    const { ownerId } = tx.principal;
    if ((await countInTurn(tx, ownerId)) >= maxSubscriptions)
      throw new ApiError('CONFLICT', byRule('WEBHOOKS_FULL', { max: maxSubscriptions }));
    const secret = mintSecret();
    const createdAt = tx.clock.now();
    const row: SubscriptionRow = {
      id: newId(createdAt.getTime()),
      url: normalUrl(url),
      events: orderedEvents(events),
      description: emptyAsNull(description),
      status: 'active',
      createdAt,
      formerSecretUntil: null,
    };
    await addSubscription(tx, { ...row, ownerId, secret: keyRing.seal(sealedSecret, secret) });
    const subject = { type: 'webhook', id: row.id };
    await recordAudit(tx, { action: 'createWebhook', subject, after: auditedWebhook(row) });
    await announceAddress(tx, row.id, 'CREATED');
    return { ...row, secret };
  });
}

/** Returns the stored form of a description; null if nothing is left. */
function emptyAsNull(description: string | null): string | null {
  const shown = identifyingText(description ?? '');
  return shown === '' ? null : shown;
}

interface Deactivation {
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
