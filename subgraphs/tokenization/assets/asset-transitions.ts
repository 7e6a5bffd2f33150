import type { AssetStatus } from './asset.js';

/** Events that can change the status of a credit. */
export type AssetEvent = 'BECAME_LATE' | 'CURED' | 'PAID_IN_FULL' | 'WRITE_OFF';

/** State machine of a credit. Only a reversal or a correction leaves SETTLED and WRITTEN_OFF. */
export const assetTransitions: Readonly<Record<AssetStatus, Readonly<Partial<Record<AssetEvent, AssetStatus>>>>> = {
  ACTIVE: { BECAME_LATE: 'DEFAULTED', PAID_IN_FULL: 'SETTLED', WRITE_OFF: 'WRITTEN_OFF' },
  DEFAULTED: { CURED: 'ACTIVE', PAID_IN_FULL: 'SETTLED', WRITE_OFF: 'WRITTEN_OFF' },
  SETTLED: {},
  WRITTEN_OFF: {},
};

/** A credit is in default once its oldest unpaid instalment is more than this many civil days late. */
export const defaultAfterDays = 90;

/** Returns the earliest due date that does not put a credit in default on a given day; both `YYYY-MM-DD`. */
export function oldestTolerated(today: string): string {
  return new Date(Date.parse(`${today}T00:00:00Z`) - defaultAfterDays * 86_400_000).toISOString().slice(0, 10);
}

/**
 * Derives the event of a credit from its instalments.
 * @param oldestDue due day of the oldest instalment that is not paid; null when all are
 */
export function assetEventOf(oldestDue: string | null, today: string): AssetEvent {
  if (oldestDue === null) return 'PAID_IN_FULL';
  return oldestDue < oldestTolerated(today) ? 'BECAME_LATE' : 'CURED';
}
