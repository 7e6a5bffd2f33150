import type { ErrorDetail } from '../../../shared/errors.js';

/** States of a delivery (README, States). */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** How much of an answer is kept, in bytes. */
export const keptAnswerBytes = 2048;

/** How long deliveries are kept, for whoever wants to see them or have them again. */
export const keptMs = 30 * 86_400_000;

/** How far a caller's clock may be from ours, with the time that a request takes. */
const clockSlackMs = 5_000;

/** What is wrong with the moment that a replay is to begin at. */
export function replaySinceErrors(since: Date, now: Date): readonly ErrorDetail[] {
  const ageMs = now.getTime() - since.getTime();
  if (ageMs < -clockSlackMs) return [{ path: 'since', message: 'must not be in the future' }];
  if (ageMs <= keptMs + clockSlackMs) return [];
  return [{ path: 'since', message: 'must be within the last 30 days, for which deliveries are kept' }];
}

/** How the delivery stood when an attempt was made. */
export interface Standing {
  /** Steps of the schedule that had failed before. */
  readonly failures: number;
  /** Whether `X-Webhook-Signature` was by the secret before the rotation. */
  readonly byPrevious: boolean;
  /** Whether two secrets sign at the moment. */
  readonly overlap: boolean;
}

/** What came of an attempt. */
export interface AttemptResult {
  /** HTTP status; undefined where there was no whole answer. */
  readonly status?: number | undefined;
  /** How long the receiver asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

/** What becomes of the delivery. */
export interface Verdict {
  readonly status: Extract<DeliveryStatus, 'pending' | 'delivered' | 'failed'>;
  readonly failures: number;
  readonly byPrevious: boolean;
  /** Until the next attempt; where there is one. */
  readonly waitMs?: number;
  /** Why the subscription has to be deactivated; where it has. */
  readonly deactivates?: 'gone' | 'exhausted';
}

/** Receivers answer an invalid signature with 401 as documented; 400 and 403 are what others use. */
const signatureRefused: ReadonlySet<number> = new Set([400, 401, 403]);

/** The most that a wait grows by chance, so that what failed together does not come back together. */
const jitter = 0.1;

/**
 * What follows from an attempt (docs/contract/webhooks.md §2.4 to §2.8).
 * - 200 delivers, and nothing else does; 410 fails for good
 * - while two secrets sign, an attempt by the new one that is refused as a bad signature is repeated by the other at once,
 *   and does not count as a step
 * - else the next step of the schedule, up to 10 % later; not before the receiver's `Retry-After`, of which no more than
 *   the schedule's longest wait is honoured
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
