export const priceIntervals = ['DAILY', 'WEEKLY', 'MONTHLY'] as const;
export type PriceInterval = (typeof priceIntervals)[number];

/** A cut of a series' prices: the last `limit` of a range. */
export interface PriceRange {
  readonly trancheId: string;
  /** First day, or null for as far back as there is. */
  readonly from: string | null;
  /** Last day, or null for as far as there is. */
  readonly to: string | null;
  /** WEEKLY and MONTHLY keep the last price of each ISO week or month. */
  readonly interval: PriceInterval;
  readonly limit: number;
}
