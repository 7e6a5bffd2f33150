import { setTimeout as sleep } from 'node:timers/promises';
import { VenueUnknown, type PlaceResult, type Venue } from '../../subgraphs/trading/venues/venue.js';

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

type FailingCall = 'place' | 'cancel' | 'lookUp' | 'balances';

export interface FailureScript {
  next(call: FailingCall, ...failures: readonly CallFailure[]): void;
  take(call: FailingCall): CallFailure | undefined;
  clear(): void;
}

export interface Failing {
  readonly failures: FailureScript;
}

export function createFailureScript(): FailureScript {
  const waiting = new Map<FailingCall, CallFailure[]>();
  return {
    next: (call, ...failures) => waiting.set(call, [...(waiting.get(call) ?? []), ...failures]),
    take: (call) => waiting.get(call)?.shift(),
    clear: () => {
      waiting.clear();
    },
  };
}

const words: Readonly<Record<CallFailure, string>> = {
  HANG_AFTER: 'no response in time',
  RESET_BEFORE: 'the connection was reset',
  RESET_AFTER: 'the connection was reset',
  ERROR_BEFORE: 'HTTP 503',
  ERROR_AFTER: 'HTTP 503',
  RATE_LIMITED: 'HTTP 429',
};

const refused: PlaceResult = { status: 'REJECTED', reason: 'RATE_LIMITED', message: 'Too many requests' };

/** Has the calls of an exchange fail by a script, from now on. */
export function scripted<E extends Venue>(exchange: E, hangMs = 5_000): E & Failing {
  const failures = createFailureScript();
  const call = async <T>(name: FailingCall, act: () => Promise<T>, limited?: T): Promise<T> => {
    const failure = failures.take(name);
    if (failure === undefined) return act();
    if (failure === 'RATE_LIMITED' && limited !== undefined) return limited;
    if (failure.endsWith('_AFTER')) await act();
    if (failure === 'HANG_AFTER') await sleep(hangMs);
    throw new VenueUnknown(exchange.name, words[failure]);
  };
  const inner = { ...exchange };
  const calls: Pick<Venue, FailingCall> = {
    place: (order) => call('place', () => inner.place(order), refused),
    cancel: (id, symbol) => call('cancel', () => inner.cancel(id, symbol)),
    lookUp: (id, symbol) => call('lookUp', () => inner.lookUp(id, symbol)),
    balances: () => call('balances', () => inner.balances()),
  };
  return Object.assign(exchange, calls, { failures });
}

/** Has venues withhold their fills, once asked, from whoever listens from now on. @returns the function that asks, and returns the one that delivers them */
export function fillHolder(venues: readonly Venue[]): () => () => void {
  const kept: (() => void)[] = [];
  let holds = false;
  for (const venue of venues) {
    const { onFill } = venue;
    const held: Venue['onFill'] = (listener) =>
      onFill((fill) => {
        if (holds) kept.push(() => listener(fill));
        else listener(fill);
      });
    Object.assign(venue, { onFill: held });
  }
  return () => {
    holds = true;
    return () => {
      holds = false;
      for (const deliver of kept.splice(0)) deliver();
    };
  };
}
