/** ACTIVE: up to date. SETTLED: all instalments paid. DEFAULTED: more than 90 days late. WRITTEN_OFF: unrecoverable. */
export const assetStatuses = ['ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF'] as const;
export type AssetStatus = (typeof assetStatuses)[number];
