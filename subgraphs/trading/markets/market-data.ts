import { setTimeout } from 'node:timers';
import type { Clock } from '../../../shared/kernel/clock.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { Logger } from '../../../shared/kernel/log.js';
import type { DayHour } from '../candles/candle.store.js';
import { createTape, type Tape } from '../candles/tape.js';
import { createListeners } from '../venues/listeners.js';
import type { SupervisedVenue } from '../venues/supervise-venue.js';
import { isStale, type Book, type Level, type Stop, type Trade, type Side } from '../venues/venue.js';

/** The ticker of a symbol over all usable venues, live or synthetic. */
export interface Ticker {
  readonly synthetic: boolean;
  readonly symbol: string;
  /** The best of all venues; undefined when there are no bids or asks. */
  readonly bid: Decimal | undefined;
  readonly ask: Decimal | undefined;
  readonly last: Decimal | undefined;
  /** In the base currency, on all venues. */
  readonly volume24h: Decimal;
  /** The change from the first price of the last 24 hours to the last price, in percent, with 2 decimals. */
  readonly change24h: Decimal | undefined;
  /** Price range of the trades of the last 24 hours; undefined without trades. */
  readonly high24h: Decimal | undefined;
  readonly low24h: Decimal | undefined;
  /** The latest trades that this process has seen, newest first. */
  readonly trades: readonly Trade[];
  readonly at: Date;
}

/** The merged order books of all usable venues. */
export interface Depth {
  readonly symbol: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly at: Date;
}

export interface MarketName {
  readonly synthetic: boolean;
  readonly symbol: string;
}

/** The market data of this process. Real and synthetic venues are never combined. */
export interface MarketData {
  venues(synthetic: boolean): readonly SupervisedVenue[];
  isTraded(synthetic: boolean, symbol: string): boolean;
  /** Returns the books of a symbol on which orders can be routed: of venues in use, and not stale. */
  books(synthetic: boolean, symbol: string): Book[];
  /** Returns the ticker, computed once per change, whatever the number of readers. */
  ticker(synthetic: boolean, symbol: string): Ticker;
  depth(synthetic: boolean, symbol: string, levels: number): Depth;
  /** Calls the listener with changed tickers, at most ten times a second, each with its last change. */
  readonly onTicker: (listener: (ticker: Ticker) => void) => Stop;
  readonly onDepth: (listener: (changed: MarketName) => void) => Stop;
  tape(synthetic: boolean): Tape;
  readonly sampleMids: () => void;
  /** Fills in the part of the last day that this process did not see. */
  remember(synthetic: boolean, hours: readonly DayHour[]): void;
  add(venue: SupervisedVenue): void;
  close(): void;
}

export interface MarketDataOptions {
  readonly venues: readonly SupervisedVenue[];
  readonly clock: Clock;
  readonly log: Logger;
}

interface Market extends MarketName {
  readonly day: RollingDay;
  last: Decimal | undefined;
  trades: readonly Trade[];
  ticker: Ticker | undefined;
}

const maxBookAgeMs = 5_000;
/** Minimum interval between two deliveries to readers: every order changes a book, and a thousand readers may follow it. */
const announceEveryMs = 100;
export const keptTrades = 20;
/** An unchanged ticker is recomputed after this time, since books become stale by themselves. */
const tickerAgeMs = 1_000;

export function createMarketData(options: MarketDataOptions): MarketData {
  const { clock, log } = options;
  const onError = (err: unknown) => {
    log.error({ err }, 'A listener of the markets failed');
  };
  const tickers = createListeners<Ticker>(onError);
  const depths = createListeners<MarketName>(onError);
  const tapes = new Map([true, false].map((synthetic) => [synthetic, createTape()]));
  const tape = (synthetic: boolean) => tapes.get(synthetic) ?? createTape();
  const { venues, add, close } = watchVenues({
    book: (synthetic, symbol) => noteChange(marketOf(synthetic, symbol)),
    trade: (synthetic, trade) => {
      const market = marketOf(synthetic, trade.symbol);
      noteTrade(market, trade);
      tape(synthetic).addTrade(trade);
      noteChange(market);
    },
  });
  const books = bookFinder(venues, clock);
  const marketOf = marketTable();

  const ticker = (synthetic: boolean, symbol: string): Ticker => {
    const market = marketOf(synthetic, symbol);
    const now = clock.now();
    const known = market.ticker;
    if (known !== undefined && now.getTime() - known.at.getTime() < tickerAgeMs) return known;
    market.ticker = tickerOf(market, books(synthetic, symbol), now);
    return market.ticker;
  };
  const announce = conflated<Market>(announceEveryMs, (changed) => {
    for (const { synthetic, symbol } of changed) {
      depths.tell({ synthetic, symbol });
      if (tickers.count > 0) tickers.tell(ticker(synthetic, symbol));
    }
  });
  const noteChange = (market: Market) => {
    market.ticker = undefined;
    if (tickers.count + depths.count > 0) announce(market);
  };
  for (const venue of options.venues) add(venue);

  return {
    venues,
    isTraded: (synthetic, symbol) => venues(synthetic).some((venue) => tradesSymbol(venue, symbol)),
    books,
    ticker,
    depth: (synthetic, symbol, levels) => depthOf(symbol, books(synthetic, symbol), levels, clock.now()),
    onTicker: tickers.add,
    onDepth: depths.add,
    tape,
    sampleMids: () => {
      for (const { synthetic, symbol } of marketOf.all()) {
        const { bid, ask, at } = ticker(synthetic, symbol);
        if (bid !== undefined && ask !== undefined) tape(synthetic).addMid(symbol, bid.plus(ask).dividedBy(2), at);
      }
    },
    remember: (synthetic, hours) => {
      for (const { symbol, openedAt, open, high, low, close, volume } of hours) {
        const market = marketOf(synthetic, symbol);
        market.day.add({
          ms: openedAt.getTime(),
          open: new Decimal(open),
          high: new Decimal(high),
          low: new Decimal(low),
          volume: new Decimal(volume),
        });
        market.last = new Decimal(close);
        noteChange(market);
      }
    },
    add,
    close,
  };
}

interface Heard {
  readonly book: (synthetic: boolean, symbol: string) => void;
  readonly trade: (synthetic: boolean, trade: Trade) => void;
}

function watchVenues(heard: Heard) {
  const worlds = new Map<boolean, readonly SupervisedVenue[]>();
  const stops: Stop[] = [];
  const venues = (synthetic: boolean): readonly SupervisedVenue[] => worlds.get(synthetic) ?? [];
  return {
    venues,
    add: (venue: SupervisedVenue) => {
      const { synthetic, onBook, onTrade } = venue;
      const all = [...venues(synthetic), venue].sort((left, right) => (left.name < right.name ? -1 : 1));
      worlds.set(synthetic, all);
      stops.push(
        onBook((symbol) => heard.book(synthetic, symbol)),
        onTrade((trade) => heard.trade(synthetic, trade)),
      );
    },
    close: () => {
      for (const stop of stops.splice(0)) stop();
    },
  };
}

function tradesSymbol(venue: SupervisedVenue, symbol: string): boolean {
  return venue.markets().some((market) => market.symbol === symbol);
}

function bookFinder(
  venues: (synthetic: boolean) => readonly SupervisedVenue[],
  clock: Clock,
): (synthetic: boolean, symbol: string) => Book[] {
  return (synthetic, symbol) => {
    const now = clock.now();
    return venues(synthetic)
      .filter((venue) => venue.isUsable())
      .flatMap((venue) => venue.book(symbol) ?? [])
      .filter((book) => !isStale(book, now, maxBookAgeMs));
  };
}

function marketTable(): ((synthetic: boolean, symbol: string) => Market) & { all(): Iterable<Market> } {
  const markets = new Map<string, Market>();
  const find = (synthetic: boolean, symbol: string): Market => {
    const key = `${String(synthetic)} ${symbol}`;
    const known = markets.get(key);
    if (known !== undefined) return known;
    const made: Market = { synthetic, symbol, day: createRollingDay(), last: undefined, trades: [], ticker: undefined };
    markets.set(key, made);
    return made;
  };
  return Object.assign(find, { all: () => markets.values() });
}

function noteTrade(market: Market, trade: Trade): void {
  const { price, amount, at } = trade;
  market.last = price;
  market.trades = [trade, ...market.trades.slice(0, keptTrades - 1)];
  market.day.add({ ms: at.getTime(), open: price, high: price, low: price, volume: amount });
}

function depthOf(symbol: string, books: readonly Book[], levels: number, at: Date): Depth {
  const [bids, asks] = [books.map((book) => book.bids), books.map((book) => book.asks)];
  return { symbol, bids: mergeLevels('BUY', bids, levels), asks: mergeLevels('SELL', asks, levels), at };
}

function tickerOf({ synthetic, symbol, last, trades, day }: Market, books: readonly Book[], at: Date): Ticker {
  const bids = books.flatMap(({ bids: [best] }) => best?.price ?? []);
  const asks = books.flatMap(({ asks: [best] }) => best?.price ?? []);
  const { open, high, low, volume } = day.at(at.getTime());
  const change = open === undefined ? undefined : last?.dividedBy(open).minus(1).times(100);
  return {
    synthetic,
    symbol,
    bid: bids.length === 0 ? undefined : Decimal.max(...bids),
    ask: asks.length === 0 ? undefined : Decimal.min(...asks),
    last,
    volume24h: volume,
    change24h: change?.toDecimalPlaces(2, Decimal.ROUND_HALF_UP),
    high24h: high,
    low24h: low,
    trades,
    at,
  };
}

/** Delivers each changed item once per call: at once, and then every `everyMs` at most. The last change of each item is always delivered. */
function conflated<T>(everyMs: number, tell: (changed: readonly T[]) => void): (changed: T) => void {
  let waiting = new Set<T>();
  let toldAtMs = -Infinity;
  const flush = () => {
    const all = [...waiting];
    waiting = new Set();
    toldAtMs = performance.now();
    tell(all);
  };
  return (changed) => {
    if (waiting.size === 0) setTimeout(flush, toldAtMs + everyMs - performance.now()).unref();
    waiting.add(changed);
  };
}

/** Returns the best levels of one side of several books; amounts at the same price form one level. */
function mergeLevels(side: Side, sides: readonly (readonly Level[])[], count: number): Level[] {
  const sign = side === 'BUY' ? -1 : 1;
  const sorted = sides
    // No book contributes more than that to the result.
    .flatMap((levels) => levels.slice(0, count))
    .sort((left, right) => left.price.comparedTo(right.price) * sign);
  const merged: Level[] = [];
  for (const level of sorted) {
    const last = merged.at(-1);
    if (last?.price.equals(level.price) === true) {
      merged[merged.length - 1] = { price: last.price, amount: last.amount.plus(level.amount) };
    } else if (merged.length === count) break;
    else merged.push(level);
  }
  return merged;
}

interface RollingDay {
  /** Adds a trade, or all trades of a period that began then. One that is older than the last counts in the last one's minute. */
  add(traded: Minute): void;
  /** Returns the first price, the extremes and the volume of the last 24 hours. */
  at(nowMs: number): Partial<Pick<Minute, 'open' | 'high' | 'low'>> & Pick<Minute, 'volume'>;
}

interface Minute {
  readonly ms: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  /** In the base currency. */
  readonly volume: Decimal;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

function createRollingDay(): RollingDay {
  const minutes: Minute[] = [];
  /** All minutes but the last, which is the only one to change; undefined if minutes have come or gone. */
  let settled: Minute | undefined;
  return {
    add: (traded) => {
      const ms = Math.floor(traded.ms / minuteMs) * minuteMs;
      const last = minutes.at(-1);
      if (last !== undefined && last.ms >= ms) {
        minutes[minutes.length - 1] = together(last, traded);
      } else {
        minutes.push({ ...traded, ms });
        settled = undefined;
      }
    },
    at: (nowMs) => {
      const fresh = minutes.findIndex(({ ms }) => ms > nowMs - dayMs);
      if (fresh !== 0) {
        minutes.splice(0, fresh < 0 ? minutes.length : fresh);
        settled = undefined;
      }
      const last = minutes.at(-1);
      if (last === undefined) return { volume: new Decimal(0) };
      if (minutes.length === 1) return last;
      settled ??= minutes.slice(0, -1).reduce(together);
      return together(settled, last);
    },
  };
}

function together(earlier: Minute, later: Minute): Minute {
  return {
    ...earlier,
    high: Decimal.max(earlier.high, later.high),
    low: Decimal.min(earlier.low, later.low),
    volume: earlier.volume.plus(later.volume),
  };
}
