import type { AssetStatus } from './asset.js';

/** What happens to a credit. */
export type AssetEvent = 'BECAME_LATE' | 'CURED' | 'PAID_IN_FULL' | 'WRITE_OFF';

/** The moves of a credit. SETTLED and WRITTEN_OFF are left by a reversal or a correction alone. */
export const assetTransitions: Readonly<Record<AssetStatus, Readonly<Partial<Record<AssetEvent, AssetStatus>>>>> = {
  ACTIVE: { BECAME_LATE: 'DEFAULTED', PAID_IN_FULL: 'SETTLED', WRITE_OFF: 'WRITTEN_OFF' },
  DEFAULTED: { CURED: 'ACTIVE', PAID_IN_FULL: 'SETTLED', WRITE_OFF: 'WRITTEN_OFF' },
  SETTLED: {},
  WRITTEN_OFF: {},
};

/** A credit is in default once its oldest instalment that is not paid is more civil days late than this. */
export const defaultAfterDays = 90;

/** The first due day that does not put a credit in default on a day; both `YYYY-MM-DD`. */
export function oldestTolerated(today: string): string {
  return new Date(Date.parse(`${today}T00:00:00Z`) - defaultAfterDays * 86_400_000).toISOString().slice(0, 10);
}

/**
 * What the instalments of a credit say has happened to it.
 * @param oldestDue due day of the oldest instalment that is not paid; null when all are
 */
export function assetEventOf(oldestDue: string | null, today: string): AssetEvent {
  if (oldestDue === null) return 'PAID_IN_FULL';
  return oldestDue < oldestTolerated(today) ? 'BECAME_LATE' : 'CURED';
}
