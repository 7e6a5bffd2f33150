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
  /** The length of the current OPEN pause. */
  readonly pauseMs: number;
}

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly threshold: number;
  /** The first pause; each failed probe doubles it. */
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

/** The step for each event in each state. The result of a call that began before the breaker opened changes nothing. */
const steps: Readonly<Record<BreakerState, Readonly<Record<BreakerEvent, Step>>>> = {
  CLOSED: { SUCCESS: forgive, FAILURE: countFailure, PROBE: stay },
  OPEN: { SUCCESS: stay, FAILURE: stay, PROBE: probe },
  HALF_OPEN: { SUCCESS: close, FAILURE: openLonger, PROBE: stay },
};

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
