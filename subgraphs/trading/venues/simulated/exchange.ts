import type { Clock } from '../../../../shared/clock.js';
import type { Random } from '../../../../shared/demo/random.js';
import type { Logger } from '../../../../shared/log.js';
import { createVenueListeners } from '../listeners.js';
import { VenueUnknown, type Venue, type VenueFees, type VenueOrder } from '../venue.js';
import { createBookReader } from './book-reader.js';
import { rejected } from './check-order.js';
import { createEngine, type Engine, type RestoredOrder } from './engine.js';
import type { KnownOrder } from './engine-state.js';
import { createFailingCalls } from './failing-calls.js';
import { createFailureScript, type FailureScript } from './failures.js';
import { createFillDelivery, type FillDelivery } from './fill-delivery.js';
import { createFunds } from './funds.js';
import { flow, ladder, type SimulatedMarket, type Temper } from './market-maker.js';
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
  /** The house's initial funds there, by currency. */
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
  /** The planned failures. */
  readonly failures: FailureScript;
  /** Restores resting orders of an earlier run. Call it before `start`. */
  restore(orders: readonly RestoredOrder[]): void;
  /** Quotes and trades once. */
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

/** Makes the market maker follow the reference price, and occasionally a stranger trade. */
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
