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

export function isProbeDue({ state, sinceMs, pauseMs }: Breaker, nowMs: number): boolean {
  return state === 'OPEN' && nowMs >= sinceMs + pauseMs;
}
