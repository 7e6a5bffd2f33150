import { Decimal } from '../../../shared/kernel/decimal.js';

export interface HourCandle {
  readonly symbol: string;
  readonly openedMs: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  /** In the base currency: everything that this writer has seen in the hour. */
  readonly volume: Decimal;
  /** Whether it is built from trades; otherwise from mid prices. */
  readonly traded: boolean;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** The recent prices and trades, live or synthetic, by hour. Holds only the last hours. */
export interface Tape {
  addTrade(trade: {
    readonly symbol: string;
    readonly price: Decimal;
    readonly amount: Decimal;
    readonly at: Date;
  }): void;
  /** Records the mid price, which counts for hours without a trade. */
  addMid(symbol: string, price: Decimal, at: Date): void;
  /** Returns the hours that changed since the last call. */
  changed(): readonly HourCandle[];
  /** Marks hours as changed again after a failed write. */
  giveBack(hours: readonly HourCandle[]): void;
  clear(): void;
}

/** How long after its end an hour accepts late trades; later ones are not counted. */
const lateMs = 10 * 60_000;

type Parts = Pick<HourCandle, 'symbol' | 'openedMs' | 'traded'>;
const keyOf = ({ symbol, openedMs }: Parts) => `${symbol} ${String(openedMs)}`;

export function createTape(): Tape {
  const hours = new Map<string, HourCandle>();
  const dirty = new Set<string>();
  let newestMs = 0;

  const add = (parts: Parts, price: Decimal, amount: Decimal, ms: number) => {
    const key = keyOf(parts);
    const known = hours.get(key);
    if (known?.traded === true && !parts.traded) return;
    // The first trade of an hour replaces the mid prices used until then.
    const grown = known?.traded === parts.traded ? grow(known, price, amount, ms) : first(parts, price, amount, ms);
    hours.set(key, grown);
    dirty.add(key);
  };
  const forget = (nowMs: number) => {
    for (const [key, { openedMs }] of hours) {
      if (openedMs + intervals['1h'] + lateMs < nowMs && !dirty.has(key)) hours.delete(key);
    }
  };
  const isTooLate = (openedMs: number) => openedMs + intervals['1h'] + lateMs < newestMs;

  return {
    addTrade: ({ symbol, price, amount, at }) => {
      const ms = at.getTime();
      newestMs = Math.max(newestMs, ms);
      const openedMs = opensAt('1h', ms);
      if (!isTooLate(openedMs)) add({ symbol, openedMs, traded: true }, price, amount, ms);
    },
    addMid: (symbol, price, at) => {
      const ms = at.getTime();
      newestMs = Math.max(newestMs, ms);
      add({ symbol, openedMs: opensAt('1h', ms), traded: false }, price, new Decimal(0), ms);
    },
    changed: () => {
      const changed = [...dirty].flatMap((key) => hours.get(key) ?? []);
      dirty.clear();
      forget(newestMs);
      return changed;
    },
    giveBack: (given) => {
      for (const hour of given) {
        const key = keyOf(hour);
        if (!hours.has(key)) hours.set(key, hour);
        dirty.add(key);
      }
    },
    clear: () => {
      hours.clear();
      dirty.clear();
    },
  };
}

function first(parts: Parts, price: Decimal, volume: Decimal, ms: number): HourCandle {
  return { ...parts, open: price, high: price, low: price, close: price, volume, firstMs: ms, lastMs: ms };
}

/** Adds a price to an hour; prices may arrive out of order. */
function grow(hour: HourCandle, price: Decimal, amount: Decimal, ms: number): HourCandle {
  return {
    ...hour,
    open: ms < hour.firstMs ? price : hour.open,
    close: ms >= hour.lastMs ? price : hour.close,
    high: Decimal.max(hour.high, price),
    low: Decimal.min(hour.low, price),
    volume: hour.volume.plus(amount),
    firstMs: Math.min(hour.firstMs, ms),
    lastMs: Math.max(hour.lastMs, ms),
  };
}

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
