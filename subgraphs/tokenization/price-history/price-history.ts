import type { PriceInterval } from '../../../shared/securities/price-interval.js';

/** Selects prices of a series: the last `limit` of a range. */
export interface PriceRange {
  readonly trancheId: string;
  /** First day; null for no bound. */
  readonly from: string | null;
  /** Last day; null for no bound. */
  readonly to: string | null;
  /** WEEKLY and MONTHLY keep the last price of each ISO week or month. */
  readonly interval: PriceInterval;
  readonly limit: number;
}
