import type { Context } from '../../../shared/kernel/context.js';
import { listCandles, type CandleRow } from './candle.store.js';
import { intervals, opensAt, type Interval } from './interval.js';

export interface CandleRequest {
  readonly synthetic: boolean;
  readonly symbol: string;
  readonly interval: Interval;
  /** Maximum number of candles, from 1. */
  readonly limit: number;
}

/**
 * Returns the last candles of a symbol, oldest first, including the current one. Where no data exists for a time in between (the program did not
 * run), the previous close is repeated with a volume of 0, so that there is no gap. Nothing is filled in before the first candle.
 */
export async function readCandles(context: Context, request: CandleRequest): Promise<CandleRow[]> {
  const { synthetic, symbol, interval, limit } = request;
  const length = intervals[interval];
  const lastMs = opensAt(interval, context.clock.now().getTime());
  const fromMs = lastMs - (limit - 1) * length;
  const rows = await listCandles(context, { synthetic, symbol, length: interval, from: new Date(fromMs) });
  return fillGaps(rows, { fromMs, lastMs, length });
}

/** Returns one candle for each interval from the first that is known, at the earliest `fromMs`, to `lastMs`. */
export function fillGaps(
  rows: readonly CandleRow[],
  { fromMs, lastMs, length }: { readonly fromMs: number; readonly lastMs: number; readonly length: number },
): CandleRow[] {
  const byTime = new Map(rows.map((row) => [row.openedAt.getTime(), row]));
  const [first] = rows;
  if (first === undefined) return [];
  const filled: CandleRow[] = [];
  let before = first;
  for (let ms = Math.max(fromMs, first.openedAt.getTime()); ms <= lastMs; ms += length) {
    const { close } = before;
    const row = byTime.get(ms) ?? { openedAt: new Date(ms), open: close, high: close, low: close, close, volume: '0' };
    filled.push(row);
    before = row;
  }
  return filled;
}
