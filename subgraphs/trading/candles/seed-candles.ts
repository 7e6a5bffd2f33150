import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { createRandom } from '../../../shared/kernel/random.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import { hasCandles, insertCandles, rollUp, type NewCandle } from './candle.store.js';
import { intervals, opensAt, type Interval } from './tape.js';

export interface HistoryOptions {
  readonly synthetic: boolean;
  readonly markets: readonly {
    readonly symbol: string;
    readonly priceDecimals: number;
    readonly amountDecimals: number;
    readonly levelSize: Decimal;
  }[];
  readonly priceAt: (symbol: string, ms: number) => Decimal;
  readonly days?: number;
  readonly hourDays?: number;
}

/** Prices that are sampled per candle, besides its last. */
const samples = 4;

/** The history ends with the hour before this one: days for 400 days, hours for the last 8. The same prices yield the same history. Does nothing if there are candles. */
export async function seedCandles(context: Context, options: HistoryOptions): Promise<void> {
  const { synthetic, markets, days = 400, hourDays = 8 } = options;
  const nowMs = context.clock.now().getTime();
  const todayMs = opensAt('1d', nowMs);
  const hoursFromMs = todayMs - hourDays * intervals['1d'];
  const spans = [
    { length: '1d', fromMs: todayMs - days * intervals['1d'], toMs: hoursFromMs },
    { length: '1h', fromMs: hoursFromMs, toMs: opensAt('1h', nowMs) },
  ] as const;
  await inTransaction(context, async (tx) => {
    if (await hasCandles(tx, synthetic)) return;
    for (const { length, fromMs, toMs } of spans) {
      const openings = range(fromMs, toMs, intervals[length]);
      for (const market of markets) {
        const candles: NewCandle[] = [];
        await eachInTurns(openings, (openedMs) => candles.push(candleOf(options, market, length, openedMs)));
        await insertCandles(tx, { synthetic, symbol: market.symbol, length }, candles);
      }
    }
    const symbols = markets.map(({ symbol }) => symbol);
    const moments = (fromMs: number, stepMs: number) => range(fromMs, nowMs, stepMs).map((ms) => new Date(ms));
    for (const length of ['4h', '1d'] as const) {
      await rollUp(tx, length, { synthetic, symbols, moments: moments(hoursFromMs, intervals[length]) });
    }
    await rollUp(tx, '1w', { synthetic, symbols, moments: moments(todayMs - days * intervals['1d'], intervals['1d']) });
  });
}

/** Builds a candle from sampled prices, with a volume derived from its time. */
function candleOf(
  { priceAt }: HistoryOptions,
  { symbol, priceDecimals, amountDecimals, levelSize }: HistoryOptions['markets'][number],
  length: Interval,
  openedMs: number,
): NewCandle {
  const stepMs = intervals[length] / samples;
  const prices = Array.from({ length: samples + 1 }, (_, index) =>
    // The last price is the price in the millisecond before the next candle opens.
    priceAt(symbol, openedMs + Math.min(index * stepMs, intervals[length] - 1)).toDecimalPlaces(priceDecimals),
  );
  const random = createRandom(`volume ${symbol} ${length} ${String(openedMs)}`);
  const hours = intervals[length] / intervals['1h'];
  const volume = levelSize.times(random.int(60, 240)).times(hours).dividedBy(10).toDecimalPlaces(amountDecimals);
  const [open = prices[0], close = open] = [prices.at(0), prices.at(-1)];
  if (open === undefined || close === undefined) throw new RangeError('A candle has no price');
  return {
    openedMs,
    open,
    close,
    high: Decimal.max(...prices),
    low: Decimal.min(...prices),
    volume,
    lastMs: openedMs + intervals[length] - 1,
  };
}

function range(fromMs: number, toMs: number, stepMs: number): number[] {
  return Array.from(
    { length: Math.max(0, Math.ceil((toMs - fromMs) / stepMs)) },
    (_, index) => fromMs + index * stepMs,
  );
}
