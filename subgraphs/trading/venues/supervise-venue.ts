import type { Clock } from '../../../shared/kernel/clock.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { messageOf } from '../../../shared/kernel/thrown.js';
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

/**
 * The circuit breaker of a venue, as a pure state machine.
 * - CLOSED: orders are sent
 * - OPEN: no orders are sent until the pause is over
 * - HALF_OPEN: one probe is under way, and decides. A client's order is never the probe
 */
export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** SUCCESS and FAILURE are results of calls to the venue; PROBE starts a probe at the end of the pause. */
export type BreakerEvent = 'SUCCESS' | 'FAILURE' | 'PROBE';

export interface Breaker {
  readonly state: BreakerState;
  /** The start of this state, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** Failures in a row. */
  readonly failures: number;
  readonly pauseMs: number;
}

/** Failures in a row that open it, and its first pause, which each failed probe doubles. */
export const breakerDefaults = { threshold: 3, pauseMs: 1_000, maxPauseMs: 60_000 } as const;
const { threshold, pauseMs: firstPauseMs, maxPauseMs } = breakerDefaults;

export function closedBreaker(nowMs: number): Breaker {
  return { state: 'CLOSED', sinceMs: nowMs, failures: 0, pauseMs: firstPauseMs };
}

type Step = (breaker: Breaker, nowMs: number) => Breaker;

const stay: Step = (breaker) => breaker;
const close: Step = (_breaker, nowMs) => closedBreaker(nowMs);
const forgive: Step = (breaker) => (breaker.failures === 0 ? breaker : { ...breaker, failures: 0 });
const countFailure: Step = (breaker, nowMs) => {
  const failures = breaker.failures + 1;
  if (failures < threshold) return { ...breaker, failures };
  return { state: 'OPEN', sinceMs: nowMs, failures, pauseMs: firstPauseMs };
};
const probe: Step = (breaker, nowMs) =>
  isProbeDue(breaker, nowMs) ? { ...breaker, state: 'HALF_OPEN', sinceMs: nowMs } : breaker;
const openLonger: Step = ({ failures, pauseMs }, nowMs) => ({
  state: 'OPEN',
  sinceMs: nowMs,
  failures: failures + 1,
  pauseMs: Math.min(pauseMs * 2, maxPauseMs),
});

/** The step for each event in each state. The result of a call that began before the breaker opened changes nothing. */
const steps: Readonly<Record<BreakerState, Readonly<Record<BreakerEvent, Step>>>> = {
  CLOSED: { SUCCESS: forgive, FAILURE: countFailure, PROBE: stay },
  OPEN: { SUCCESS: stay, FAILURE: stay, PROBE: probe },
  HALF_OPEN: { SUCCESS: close, FAILURE: openLonger, PROBE: stay },
};

export function transition(breaker: Breaker, event: BreakerEvent, nowMs: number): Breaker {
  return steps[breaker.state][event](breaker, nowMs);
}

function isProbeDue({ state, sinceMs, pauseMs }: Breaker, nowMs: number): boolean {
  return state === 'OPEN' && nowMs >= sinceMs + pauseMs;
}
