/** ACTIVE: up to date. SETTLED: all instalments paid. DEFAULTED: more than 90 days late. WRITTEN_OFF: unrecoverable. */
export const assetStatuses = ['ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF'] as const;
export type AssetStatus = (typeof assetStatuses)[number];

type AssetEvent = 'BECAME_LATE' | 'CURED' | 'PAID_IN_FULL' | 'WRITE_OFF';

/** State machine of a credit. Only a reversal or a correction leaves SETTLED and WRITTEN_OFF. */
export const assetTransitions: Readonly<Record<AssetStatus, Readonly<Partial<Record<AssetEvent, AssetStatus>>>>> = {
  ACTIVE: { BECAME_LATE: 'DEFAULTED', PAID_IN_FULL: 'SETTLED', WRITE_OFF: 'WRITTEN_OFF' },
  DEFAULTED: { CURED: 'ACTIVE', PAID_IN_FULL: 'SETTLED', WRITE_OFF: 'WRITTEN_OFF' },
  SETTLED: {},
  WRITTEN_OFF: {},
};

// A credit is in default once its oldest unpaid instalment is more than this many civil days late.
const toleratedDays = 90;

/** Whether a credit is in default on a day by its oldest unpaid instalment. Both days are `YYYY-MM-DD`. */
export function isInDefault(oldestDue: string, today: string): boolean {
  return Date.parse(today) - Date.parse(oldestDue) > toleratedDays * 86_400_000;
}

/** Returns SQL of the same rule, from the SQL of two days. */
export function inDefault(oldestDue: string, today: string): string {
  return `${oldestDue} < ${today}::date - ${toleratedDays}`;
}

/** @param oldestDue due day of the oldest instalment that is not paid; null when all are */
export function assetEventOf(oldestDue: string | null, today: string): AssetEvent {
  if (oldestDue === null) return 'PAID_IN_FULL';
  return isInDefault(oldestDue, today) ? 'BECAME_LATE' : 'CURED';
}
