import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../../shared/kernel/clock.js';
import type { Random } from '../../../../shared/kernel/random.js';
import type { Logger } from '../../../../shared/kernel/log.js';
import { createVenueListeners } from '../listeners.js';
import { VenueUnknown, type Venue, type VenueFees, type VenueOrder, type Book, type Fill } from '../venue.js';
import { type KnownOrder, createFunds } from './engine-state.js';
import { createEngine, type Engine, type RestoredOrder, rejected } from './engine.js';
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
  /** Time until a hanging call fails, in milliseconds; 5000 by default. */
  readonly timeoutMs?: number;
}

/** An exchange within this process. It stores nothing on disk: orders that `restore` did not receive are `absent`. */
export interface SimulatedExchange extends Venue {
  readonly failures: FailureScript;
  /** Restores resting orders of an earlier run. Call it before `start`. */
  restore(orders: readonly RestoredOrder[]): void;
  tick(): void;
  /** Delivers the fills that a LATE failure withheld. */
  releaseFills(): void;
}

/** How long a closed order can be looked up, and how many are kept. */
const keepClosedMs = 5 * 60_000;
const mostClosed = 10_000;

/** Opens an exchange; it quotes from `start`, or from the first `tick`, on. */
export function createSimulatedExchange(options: ExchangeOptions): SimulatedExchange {
  const { name, log, markets, fees, tickMs = 1_000, timeoutMs = 5_000 } = options;
  const { onBook: books, onTrade: trades, onFill: fills } = createVenueListeners(log, name);
  const failures = createFailureScript();
  const delivery = createFillDelivery(failures, fills.tell);
  const funds = createFunds(options.funds);
  const engine = createEngine({ ...options, funds, onTrade: trades.tell, onFill: delivery.add });
  const call = createFailingCalls(name, failures, timeoutMs);
  const tick = () => {
    quoteAndTrade(options, engine, books.tell);
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    name,
    synthetic: options.synthetic,
    failures,
    markets: () => markets,
    fees: () => fees,
    book: createBookReader(options, failures, engine.book),
    onBook: books.add,
    onTrade: trades.add,
    onFill: fills.add,
    place: (order) => {
      const submit = () => {
        // A caller that sends an id again cannot know whether the first attempt was accepted.
        if (engine.find(order.clientOrderId) !== undefined) throw new VenueUnknown(name, 'it already has this order');
        const result = engine.submit(order);
        books.tell(order.symbol);
        return result.status === 'REJECTED' ? result : { ...result, order: viewOf(result.order, delivery) };
      };
      return call('place', submit, () => rejected('RATE_LIMITED', 'Too many requests'));
    },
    cancel: (clientOrderId, symbol) =>
      call('cancel', () => {
        const order = engine.cancel(clientOrderId);
        books.tell(symbol);
        return order === undefined ? 'absent' : viewOf(order, delivery);
      }),
    lookUp: (clientOrderId) =>
      call('lookUp', () => {
        const order = engine.find(clientOrderId);
        return order === undefined ? 'absent' : viewOf(order, delivery);
      }),
    balances: () => call('balances', () => funds.list()),
    restore: (orders) => {
      for (const order of orders) engine.restore(order);
    },
    tick,
    releaseFills: delivery.release,
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

/** Returns an order as the exchange reports it: without withheld fills. */
function viewOf({ request, state, filled, fills }: KnownOrder, delivery: FillDelivery): VenueOrder {
  const visible = fills.filter(({ tradeId }) => !delivery.isKept(tradeId));
  return { clientOrderId: request.clientOrderId, state, filled, fills: visible };
}

interface FillDelivery {
  /** Adds a fill, which is delivered after the call under way. */
  readonly add: (fill: Fill) => void;
  isKept(tradeId: string): boolean;
  readonly release: () => void;
}

function createFillDelivery(script: ReadableScript, deliver: (fill: Fill) => void): FillDelivery {
  const kept = new Map<string, Fill>();
  let queue: Fill[] = [];
  const flush = () => {
    const fills = queue;
    queue = [];
    for (const fill of fills) deliver(fill);
  };
  return {
    add: (fill) => {
      if (script.ofFills === 'LATE') {
        kept.set(fill.tradeId, fill);
        return;
      }
      queue.push(fill);
      if (queue.length === 1) queueMicrotask(flush);
    },
    isKept: (tradeId) => kept.has(tradeId),
    release: () => {
      const fills = [...kept.values()];
      kept.clear();
      for (const fill of fills) deliver(fill);
    },
  };
}

type CallFailure =
  /** The call is executed, but its result never arrives: it times out. */
  | 'HANG_AFTER'
  /** The connection breaks before the exchange has read the call, or after it has executed it. */
  | 'RESET_BEFORE'
  | 'RESET_AFTER'
  /** The exchange fails (5xx) before or after it has executed the call. */
  | 'ERROR_BEFORE'
  | 'ERROR_AFTER'
  /** Too many calls (429): it is not executed. */
  | 'RATE_LIMITED';

export type FillFailure = 'LATE';

type FailingCall = 'place' | 'cancel' | 'lookUp' | 'balances';

export interface FailureScript {
  next(call: FailingCall, ...failures: readonly CallFailure[]): void;
  /** Sets how fills are delivered from now on; LATE ones are withheld until `exchange.releaseFills()`. */
  fills(failure: FillFailure | undefined): void;
  /** Sets whether books stay as they are, and grow old. */
  staleBooks(stale: boolean): void;
  clear(): void;
}

interface ReadableScript extends FailureScript {
  take(call: FailingCall): CallFailure | undefined;
  readonly ofFills: FillFailure | undefined;
  readonly hasStaleBooks: boolean;
}

export function createFailureScript(): ReadableScript {
  const waiting = new Map<FailingCall, CallFailure[]>();
  let ofFills: FillFailure | undefined;
  let stale = false;
  return {
    next: (call, ...failures) => waiting.set(call, [...(waiting.get(call) ?? []), ...failures]),
    fills: (failure) => {
      ofFills = failure;
    },
    staleBooks: (value) => {
      stale = value;
    },
    clear: () => {
      waiting.clear();
      ofFills = undefined;
      stale = false;
    },
    take: (call) => waiting.get(call)?.shift(),
    get ofFills() {
      return ofFills;
    },
    get hasStaleBooks() {
      return stale;
    },
  };
}

const shownLevels = 20;

/** Reads books; the levels of an unchanged book are built once. */
function createBookReader(
  { name, clock }: { readonly name: string; readonly clock: Clock },
  script: ReadableScript,
  find: (symbol: string) => OrderBook | undefined,
): (symbol: string) => Book | undefined {
  const last = new Map<string, Book>();
  return (symbol) => {
    const book = find(symbol);
    if (book === undefined || book.sequence === 0) return undefined;
    const known = last.get(symbol);
    if (known !== undefined && script.hasStaleBooks) return known;
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

/** Executes a call, unless the script plans a failure. */
export type FailingCalls = <T>(call: FailingCall, act: () => T, rateLimited?: () => T) => Promise<T>;

const words: Readonly<Record<CallFailure, string>> = {
  HANG_AFTER: 'no response in time',
  RESET_BEFORE: 'the connection was reset',
  RESET_AFTER: 'the connection was reset',
  ERROR_BEFORE: 'HTTP 503',
  ERROR_AFTER: 'HTTP 503',
  RATE_LIMITED: 'HTTP 429',
};
/** Failures of calls that are executed all the same. */
const carriedOut: ReadonlySet<CallFailure> = new Set(['HANG_AFTER', 'RESET_AFTER', 'ERROR_AFTER']);

function createFailingCalls(venue: string, script: ReadableScript, timeoutMs: number): FailingCalls {
  return async (call, act, rateLimited) => {
    const failure = script.take(call);
    if (failure === undefined) return act();
    if (failure === 'RATE_LIMITED' && rateLimited !== undefined) return rateLimited();
    if (carriedOut.has(failure)) act();
    if (failure === 'HANG_AFTER') await sleep(timeoutMs);
    throw new VenueUnknown(venue, words[failure]);
  };
}
