/**
 * The circuit breaker of a venue, as a pure state machine.
 * - CLOSED: orders go out
 * - OPEN: nothing goes out until the pause is over
 * - HALF_OPEN: one probe is under way, and decides. No order of a client is ever the probe
 */
export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** SUCCESS and FAILURE are of calls to the venue; PROBE says that the pause is over and a probe goes out. */
export type BreakerEvent = 'SUCCESS' | 'FAILURE' | 'PROBE';

export interface Breaker {
  readonly state: BreakerState;
  /** Milliseconds since 1970: since when it is in this state. */
  readonly sinceMs: number;
  /** Failures in a row. */
  readonly failures: number;
  /** How long it stays OPEN this time. */
  readonly pauseMs: number;
}

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly threshold: number;
  /** The first pause; each probe that fails doubles it. */
  readonly pauseMs: number;
  readonly maxPauseMs: number;
}

export const breakerDefaults: BreakerOptions = { threshold: 3, pauseMs: 1_000, maxPauseMs: 60_000 };

export function closedBreaker(nowMs: number, options: BreakerOptions = breakerDefaults): Breaker {
  return { state: 'CLOSED', sinceMs: nowMs, failures: 0, pauseMs: options.pauseMs };
}

type Step = (breaker: Breaker, nowMs: number, options: BreakerOptions) => Breaker;

const stay: Step = (breaker) => breaker;
const close: Step = (_breaker, nowMs, options) => closedBreaker(nowMs, options);
const forgive: Step = (breaker) => (breaker.failures === 0 ? breaker : { ...breaker, failures: 0 });
const countFailure: Step = (breaker, nowMs, { threshold, pauseMs }) => {
  const failures = breaker.failures + 1;
  return failures < threshold ? { ...breaker, failures } : { state: 'OPEN', sinceMs: nowMs, failures, pauseMs };
};
const probe: Step = (breaker, nowMs) =>
  isProbeDue(breaker, nowMs) ? { ...breaker, state: 'HALF_OPEN', sinceMs: nowMs } : breaker;
const openLonger: Step = ({ failures, pauseMs }, nowMs, { maxPauseMs }) => ({
  state: 'OPEN',
  sinceMs: nowMs,
  failures: failures + 1,
  pauseMs: Math.min(pauseMs * 2, maxPauseMs),
});

/** What follows each event in each state. What a call that began before it opened has to say later changes nothing. */
const steps: Readonly<Record<BreakerState, Readonly<Record<BreakerEvent, Step>>>> = {
  CLOSED: { SUCCESS: forgive, FAILURE: countFailure, PROBE: stay },
  OPEN: { SUCCESS: stay, FAILURE: stay, PROBE: probe },
  HALF_OPEN: { SUCCESS: close, FAILURE: openLonger, PROBE: stay },
};

/** The breaker after an event. */
export function transition(
  breaker: Breaker,
  event: BreakerEvent,
  nowMs: number,
  options: BreakerOptions = breakerDefaults,
): Breaker {
  return steps[breaker.state][event](breaker, nowMs, options);
}

/** Whether the pause of an OPEN breaker is over. */
export function isProbeDue({ state, sinceMs, pauseMs }: Breaker, nowMs: number): boolean {
  return state === 'OPEN' && nowMs >= sinceMs + pauseMs;
}
