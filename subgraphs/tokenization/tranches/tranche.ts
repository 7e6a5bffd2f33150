/** DRAFT: being set up. FUNDRAISING: offered to investors. ACTIVE: in force. CLOSED: ended. */
export const trancheStatuses = ['DRAFT', 'ACTIVE', 'FUNDRAISING', 'CLOSED'] as const;
export type TrancheStatus = (typeof trancheStatuses)[number];

/** In the order in which they are paid; UNIQUE stands alone. */
export const trancheClasses = ['SENIOR', 'MEZZANINE', 'JUNIOR', 'UNIQUE'] as const;
export type TrancheClass = (typeof trancheClasses)[number];

/** What remunerates beside the rate. */
export const indexerNames = ['NONE', 'DI', 'IPCA', 'IGPM'] as const;
export type IndexerName = (typeof indexerNames)[number];
