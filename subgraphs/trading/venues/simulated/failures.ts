/** What goes wrong with the next call to a simulated exchange. */
export type CallFailure =
  /** The call is carried out, but its result never comes: it times out. */
  | 'HANG_AFTER'
  /** The connection breaks before the exchange has read the call, or after it has carried it out. */
  | 'RESET_BEFORE'
  | 'RESET_AFTER'
  /** The exchange fails (5xx) before or after it has carried out the call. */
  | 'ERROR_BEFORE'
  | 'ERROR_AFTER'
  /** Too many calls (429): it is not carried out. */
  | 'RATE_LIMITED';

/** What goes wrong with fills for as long as it is set. */
export type FillFailure = 'DUPLICATE' | 'LATE' | 'OUT_OF_ORDER';

/** The calls that can be made to fail. */
export type FailingCall = 'place' | 'cancel' | 'lookUp' | 'balances';

/** A script of what is to go wrong: for tests of everyone who uses a venue. */
export interface FailureScript {
  /** Lets the next calls of a kind fail, one after the other. */
  next(call: FailingCall, ...failures: readonly CallFailure[]): void;
  /** How fills come from here on; LATE ones are kept until `exchange.releaseFills()`. */
  fills(failure: FillFailure | undefined): void;
  /** Whether books stay as they are, and grow old. */
  staleBooks(stale: boolean): void;
  /** Nothing goes wrong any more. */
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
    next: (call, ...failures) => {
      waiting.set(call, [...(waiting.get(call) ?? []), ...failures]);
    },
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
