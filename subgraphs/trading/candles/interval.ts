/** The lengths of candles, in milliseconds. */
export const intervals = { '1h': 3_600_000, '4h': 14_400_000, '1d': 86_400_000, '1w': 604_800_000 } as const;
export type Interval = keyof typeof intervals;

export const intervalNames: readonly string[] = Object.keys(intervals);

export function isInterval(text: string): text is Interval {
  return Object.hasOwn(intervals, text);
}

/** A Monday at midnight in UTC, the origin of all intervals, so that weeks begin on Mondays and days at midnight. */
const originMs = Date.UTC(2001, 0, 1);

/** Returns the opening time of the candle that contains a time, in milliseconds since 1970. UTC has no daylight saving time. */
export function opensAt(interval: Interval, ms: number): number {
  const length = intervals[interval];
  return originMs + Math.floor((ms - originMs) / length) * length;
}
