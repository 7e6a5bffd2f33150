import type { PriceInterval } from '../../securities/price-page.js';

export interface PricePoint {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** In reais, with 8 decimals. */
  readonly value: string;
  /** Whether the engine made it with a projected index number. */
  readonly projected: boolean;
}

/** Selects prices of a series: the last `limit` points of a range, or the first ones. */
export interface PriceRange {
  readonly seriesId: string;
  /** First day; null for no bound. */
  readonly from: string | null;
  readonly to: string;
  /** WEEKLY and MONTHLY keep the last price of each ISO week or month. */
  readonly interval: PriceInterval;
  readonly limit: number;
  readonly forward?: boolean;
}
