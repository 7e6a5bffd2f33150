import type { Clock } from '../../../shared/kernel/clock.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { messageOf } from '../../../shared/kernel/thrown.js';
import { closedBreaker, transition, type BreakerEvent, type BreakerState } from './breaker.js';
import type { PlaceResult, Venue } from './venue.js';

export interface VenueHealth {
  readonly state: BreakerState;
  readonly since: Date;
  readonly lastError: string | undefined;
  /** Moving average of the duration of successful calls, in milliseconds; undefined before the first. */
  readonly latencyMs: number | undefined;
}

export interface SupervisedVenue extends Venue {
  health(): VenueHealth;
  /** Whether orders are sent: the breaker is CLOSED. */
  isUsable(): boolean;
  /** Probes the venue by reading its balances, if the pause of an open breaker is over. Also runs by itself. */
  probe(): Promise<void>;
}

export interface SuperviseOptions {
  readonly clock: Clock;
  readonly log: Logger;
}

const newestWeight = 0.1;

/** Orders are sent only while it is CLOSED, else REJECTED as VENUE_DOWN. Look-ups and cancels always go out: an unknown outcome must be found out. Every call counts. */
export function superviseVenue(venue: Venue, { clock, log }: SuperviseOptions): SupervisedVenue {
  let breaker = closedBreaker(clock.now().getTime());
  let lastError: string | undefined;
  let latencyMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const health = (): VenueHealth => ({ state: breaker.state, since: new Date(breaker.sinceMs), lastError, latencyMs });
  const move = (event: BreakerEvent) => {
    const before = breaker.state;
    breaker = transition(breaker, event, clock.now().getTime());
    if (breaker.state === before) return;
    const change = { venue: venue.name, from: before, to: breaker.state, lastError };
    log.warn(change, 'The circuit breaker of a venue changed its state');
    if (breaker.state === 'OPEN') probeAfter(breaker.pauseMs);
  };
  const probeAfter = (waitMs: number) => {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => void probe(), waitMs);
    timer.unref();
  };
  const probe = async () => {
    move('PROBE');
    if (breaker.state === 'OPEN') probeAfter(breaker.pauseMs);
    if (breaker.state !== 'HALF_OPEN') return;
    await counted(() => venue.balances()).catch(() => undefined);
  };
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    const begunMs = performance.now();
    try {
      const result = await call();
      latencyMs = averageOf(latencyMs, performance.now() - begunMs);
      move('SUCCESS');
      return result;
    } catch (error) {
      lastError = messageOf(error);
      move('FAILURE');
      throw error;
    }
  };
  return {
    name: venue.name,
    synthetic: venue.synthetic,
    markets: () => venue.markets(),
    fees: (symbol) => venue.fees(symbol),
    balanceDecimals: () => venue.balanceDecimals?.() ?? new Map(),
    book: (symbol) => venue.book(symbol),
    onBook: venue.onBook,
    onTrade: venue.onTrade,
    onFill: venue.onFill,
    place: (order) => (breaker.state === 'CLOSED' ? counted(() => venue.place(order)) : Promise.resolve(notSent)),
    cancel: (clientOrderId, symbol) => counted(() => venue.cancel(clientOrderId, symbol)),
    lookUp: (clientOrderId, symbol) => counted(() => venue.lookUp(clientOrderId, symbol)),
    balances: () => counted(() => venue.balances()),
    start: () => {
      stopped = false;
      return venue.start();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return venue.stop();
    },
    health,
    isUsable: () => breaker.state === 'CLOSED',
    probe,
  };
}

/** The result for an order while the breaker is not closed. Clients read it; the venue's error is in its health. */
const notSent: PlaceResult = {
  status: 'REJECTED',
  reason: 'VENUE_DOWN',
  message: 'The venue is not in use at the moment',
};

function averageOf(average: number | undefined, newest: number): number {
  return average === undefined ? newest : average + newestWeight * (newest - average);
}
