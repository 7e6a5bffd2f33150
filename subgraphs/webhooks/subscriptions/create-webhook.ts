import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, byRule } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { Reach } from '../engine/address.js';
import { mintSecret, sealedSecret } from './secret.js';
import {
  maxSubscriptions,
  normalUrl,
  orderedEvents,
  subscriptionErrors,
  type SubscriptionRow,
} from './subscription.js';
import { addSubscription, countInTurn } from './subscription.store.js';
import { announceAddress, auditedWebhook } from './trace-change.js';

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
}

export type NewSubscription = SubscriptionRow & { readonly secret: string };

export interface WebhookParts extends Reach {
  readonly keyRing: KeyRing;
}

/** Creates a webhook for the calling account, whose owner is told by mail. @throws {ApiError} BAD_REQUEST for a forbidden address and for unknown events, CONFLICT when the account has a hundred */
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
export function emptyAsNull(description: string | null): string | null {
  const shown = identifyingText(description ?? '');
  return shown === '' ? null : shown;
}
