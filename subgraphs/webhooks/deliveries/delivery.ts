import { type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';

/** Statuses of a delivery (docs/contract/webhooks.md §2.8). */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const keptAnswerBytes = 2048;

/** How long deliveries are kept, for display and redelivery. */
export const keptDays = 30;
export const keptMs = keptDays * 86_400_000;

/** Tolerated difference between a caller's clock and ours, including the duration of a request. */
const clockSlackMs = 5_000;

export function replaySinceErrors(since: Date, now: Date): readonly ErrorDetail[] {
  const ageMs = now.getTime() - since.getTime();
  if (ageMs < -clockSlackMs) return [errorAt('since', 'NOT_IN_FUTURE')];
  if (ageMs <= keptMs + clockSlackMs) return [];
  return [errorAt('since', 'WITHIN_LAST_DAYS', { days: keptDays })];
}

/** State of a delivery at the time of an attempt. */
export interface Standing {
  /** Number of schedule steps that failed before. */
  readonly failures: number;
  /** Whether `X-Webhook-Signature` used the secret before the rotation. */
  readonly byPrevious: boolean;
  /** Whether two secrets are valid for signing. */
  readonly overlap: boolean;
}

export interface AttemptResult {
  readonly status?: number | undefined;
  /** Wait time that the receiver requests. */
  readonly retryAfterMs?: number | undefined;
}

export interface Verdict {
  readonly status: Extract<DeliveryStatus, 'pending' | 'delivered' | 'failed'>;
  readonly failures: number;
  readonly byPrevious: boolean;
  /** Time until the next attempt, if there is one. */
  readonly waitMs?: number;
  /** Why the subscription has to be deactivated, if so. */
  readonly deactivates?: 'gone' | 'exhausted';
}

/** Receivers respond to an invalid signature with 401 as documented; 400 and 403 are also common. */
const signatureRefused: ReadonlySet<number> = new Set([400, 401, 403]);

/** Maximum random increase of a wait, so that deliveries that failed together are not retried together. */
const jitter = 0.1;

/**
 * Decides what follows from an attempt (docs/contract/webhooks.md §2.4 to §2.8).
 * - only status 200 delivers; 410 fails permanently
 * - while two secrets sign, an attempt with the new one that is rejected as a bad signature is repeated with the other at
 *   once, and does not count as a step
 * - otherwise the next step of the schedule follows, up to 10 % later; not before the receiver's `Retry-After`, which is
 *   limited to the schedule's longest wait
 * @param delaysMs the waits of the schedule
 * @param chance from 0 to 1
 */
export function judge(
  { failures, byPrevious, overlap }: Standing,
  { status, retryAfterMs = 0 }: AttemptResult,
  delaysMs: readonly number[],
  chance: number,
): Verdict {
  if (status === 200) return { status: 'delivered', failures: 0, byPrevious: false };
  if (status === 410) return { status: 'failed', failures: failures + 1, byPrevious: false, deactivates: 'gone' };
  if (overlap && !byPrevious && status !== undefined && signatureRefused.has(status)) {
    return { status: 'pending', failures, byPrevious: true, waitMs: 0 };
  }
  const delayMs = delaysMs[failures];
  if (delayMs === undefined) {
    return { status: 'failed', failures: failures + 1, byPrevious: false, deactivates: 'exhausted' };
  }
  const asked = Math.min(retryAfterMs, Math.max(...delaysMs));
  const waitMs = Math.round(Math.max(delayMs * (1 + jitter * chance), asked));
  return { status: 'pending', failures: failures + 1, byPrevious: false, waitMs };
}

export interface DeliveryKey {
  readonly eventId: string;
  readonly subscriptionId: string;
}

/** Separates the two UUIDs. It needs no encoding in a URL. */
const separator = '_';

/** Returns the id of a delivery, `<webhook>_<event>`: an event has a delivery to each of its webhooks. */
export function deliveryIdOf({ subscriptionId, eventId }: DeliveryKey): string {
  return subscriptionId + separator + eventId;
}

/** Returns the key of an id that `deliveryIdOf` made; undefined for any other text. */
export function deliveryKeyOf(id: string): DeliveryKey | undefined {
  const [subscriptionId = '', eventId = '', ...more] = id.toLowerCase().split(separator);
  return isUuid(subscriptionId) && isUuid(eventId) && more.length === 0 ? { subscriptionId, eventId } : undefined;
}

/** Looks up by the id of the delivery, or of its event, which the documented paths use; undefined for any other text, and for a delivery to another subscription. */
export function eventOf(subscriptionId: string, id: string): string | undefined {
  if (isUuid(id)) return id;
  const key = deliveryKeyOf(id);
  return key?.subscriptionId === subscriptionId ? key.eventId : undefined;
}
