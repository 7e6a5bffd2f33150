export const priceIntervals = ['DAILY', 'WEEKLY', 'MONTHLY'] as const;
export type PriceInterval = (typeof priceIntervals)[number];
