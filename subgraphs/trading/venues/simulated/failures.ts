/** The failure of the next call to a simulated exchange. */
export type CallFailure =
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

/** How the delivery of fills fails while it is set. */
export type FillFailure = 'DUPLICATE' | 'LATE' | 'OUT_OF_ORDER';

/** The calls that can be made to fail. */
export type FailingCall = 'place' | 'cancel' | 'lookUp' | 'balances';

/** A script of failures, for tests of code that uses a venue. */
export interface FailureScript {
  /** Makes the next calls of a kind fail, one after the other. */
  next(call: FailingCall, ...failures: readonly CallFailure[]): void;
  /** Sets how fills are delivered from now on; LATE ones are withheld until `exchange.releaseFills()`. */
  fills(failure: FillFailure | undefined): void;
  /** Sets whether books stay as they are, and grow old. */
  staleBooks(stale: boolean): void;
  /** Removes all failures. */
  clear(): void;
}

/** The script as the exchange reads it. */
export interface ReadableScript extends FailureScript {
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
