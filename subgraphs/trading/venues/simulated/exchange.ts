import type { Clock } from '../../../../shared/kernel/clock.js';
import type { Random } from '../../../../shared/kernel/random.js';
import type { Logger } from '../../../../shared/kernel/log.js';
import { createVenueListeners } from '../listeners.js';
import { VenueUnknown, type Venue, type VenueFees, type VenueOrder, type Book, type Fill } from '../venue.js';
import { type KnownOrder, createFunds } from './engine-state.js';
import { createEngine, type Engine, type RestoredOrder } from './engine.js';
import { flow, ladder, type SimulatedMarket, type Temper } from './market-maker.js';
import type { OrderBook } from './order-book.js';
import type { PriceProcess } from './price-process.js';

export interface ExchangeOptions {
  readonly name: string;
  readonly synthetic: boolean;
  readonly markets: readonly SimulatedMarket[];
  readonly fees: VenueFees;
  readonly temper: Temper;
  readonly prices: PriceProcess;
  readonly random: Random;
  readonly clock: Clock;
  readonly log: Logger;
  readonly funds: Readonly<Record<string, string>>;
  /** A text that no other run of the exchange has: trade ids begin with it. */
  readonly epoch: string;
  /** Interval between its own quotes and trades, in milliseconds; 1000 by default. */
  readonly tickMs?: number;
}

/** An exchange within this process. It stores nothing on disk: orders that `restore` did not receive are `absent`. */
export interface SimulatedExchange extends Venue {
  /** Restores resting orders of an earlier run. Call it before `start`. */
  restore(orders: readonly RestoredOrder[]): void;
  tick(): void;
}

/** How long a closed order can be looked up, and how many are kept. */
const keepClosedMs = 5 * 60_000;
const mostClosed = 10_000;

/** Opens an exchange; it quotes from `start`, or from the first `tick`, on. */
export function createSimulatedExchange(options: ExchangeOptions): SimulatedExchange {
  const { name, log, markets, fees, tickMs = 1_000 } = options;
  const { onBook: books, onTrade: trades, onFill: fills } = createVenueListeners(log, name);
  const funds = createFunds(options.funds);
  const engine = createEngine({ ...options, funds, onTrade: trades.tell, onFill: afterCall(fills.tell) });
  const tick = () => {
    quoteAndTrade(options, engine, books.tell);
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    name,
    synthetic: options.synthetic,
    markets: () => markets,
    fees: () => fees,
    book: createBookReader(options, engine.book),
    onBook: books.add,
    onTrade: trades.add,
    onFill: fills.add,
    place: (order) => {
      // A caller that sends an id again cannot know whether the first attempt was accepted.
      if (engine.find(order.clientOrderId) !== undefined)
        return Promise.reject(new VenueUnknown(name, 'it already has this order'));
      const result = engine.submit(order);
      books.tell(order.symbol);
      return Promise.resolve(result.status === 'REJECTED' ? result : { ...result, order: viewOf(result.order) });
    },
    cancel: (clientOrderId, symbol) => {
      const order = engine.cancel(clientOrderId);
      books.tell(symbol);
      return Promise.resolve(order === undefined ? 'absent' : viewOf(order));
    },
    lookUp: (clientOrderId) => {
      const order = engine.find(clientOrderId);
      return Promise.resolve(order === undefined ? 'absent' : viewOf(order));
    },
    balances: () => Promise.resolve(funds.list()),
    restore: (orders) => {
      for (const order of orders) engine.restore(order);
    },
    tick,
    start: () => {
      tick();
      timer = setInterval(tick, tickMs);
      timer.unref();
      return Promise.resolve();
    },
    stop: () => {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}

function quoteAndTrade(
  { markets, prices, temper, random, clock }: ExchangeOptions,
  engine: Engine,
  tell: (symbol: string) => void,
): void {
  const nowMs = clock.now().getTime();
  for (const market of markets) {
    engine.quote(market.symbol, ladder(market, prices.at(market.symbol, nowMs), temper, random));
    const taken = flow(market, temper, random);
    if (taken !== undefined) engine.takeAsStranger(market.symbol, taken.side, taken.amount);
    tell(market.symbol);
  }
  engine.forgetClosed(nowMs - keepClosedMs, mostClosed);
}

function viewOf({ request, state, filled, fills }: KnownOrder): VenueOrder {
  return { clientOrderId: request.clientOrderId, state, filled, fills: [...fills] };
}

/** Delivers fills after the call under way. */
function afterCall(deliver: (fill: Fill) => void): (fill: Fill) => void {
  let queue: Fill[] = [];
  const flush = () => {
    const fills = queue;
    queue = [];
    for (const fill of fills) deliver(fill);
  };
  return (fill) => {
    queue.push(fill);
    if (queue.length === 1) queueMicrotask(flush);
  };
}

const shownLevels = 20;

/** Reads books; the levels of an unchanged book are built once. */
function createBookReader(
  { name, clock }: { readonly name: string; readonly clock: Clock },
  find: (symbol: string) => OrderBook | undefined,
): (symbol: string) => Book | undefined {
  const last = new Map<string, Book>();
  return (symbol) => {
    const book = find(symbol);
    if (book === undefined || book.sequence === 0) return undefined;
    const known = last.get(symbol);
    const levels =
      known?.sequence === book.sequence
        ? known
        : { bids: book.levels('BUY', shownLevels), asks: book.levels('SELL', shownLevels) };
    const { bids, asks } = levels;
    const read = { venue: name, symbol, bids, asks, sequence: book.sequence, at: clock.now() };
    last.set(symbol, read);
    return read;
  };
}
