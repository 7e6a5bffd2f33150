export interface CandleData {
  readonly timestamp: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

const hourMs = 3_600_000;

const lengthsMs = { '1h': hourMs, '4h': 4 * hourMs, '1d': 24 * hourMs, '1w': 168 * hourMs } as const;

export type Interval = keyof typeof lengthsMs;

export const intervals = ['1h', '4h', '1d', '1w'] as const;

/** A moment after the end of the last candle begins a new one; an earlier moment changes nothing. Prices are numbers here: it is a picture. */
export function withPrice(
  candles: readonly CandleData[],
  interval: Interval,
  price: string,
  timestamp: string,
): readonly CandleData[] {
  const last = candles.at(-1);
  if (last === undefined) return candles;
  const beginMs = Date.parse(last.timestamp);
  const passed = Math.floor((Date.parse(timestamp) - beginMs) / lengthsMs[interval]);
  if (passed > 0) {
    const begun = new Date(beginMs + passed * lengthsMs[interval]).toISOString();
    return [...candles.slice(1), { timestamp: begun, open: price, high: price, low: price, close: price, volume: '0' }];
  }
  if (passed < 0) return candles;
  const high = Number(price) > Number(last.high) ? price : last.high;
  const low = Number(price) < Number(last.low) ? price : last.low;
  return [...candles.slice(0, -1), { ...last, close: price, high, low }];
}
