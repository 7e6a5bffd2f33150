/** Selection of the prices of a history: all, or the last one of each week or month. */
export type PriceInterval = 'DAILY' | 'WEEKLY' | 'MONTHLY';
