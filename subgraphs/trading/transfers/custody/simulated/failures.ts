/**
 * Where the simulated provider can fail.
 * - `send.before`: the order never reaches it, and nobody knows
 * - `send.after`: it takes the order, and its response is lost
 * - `send.refuse`: it refuses the order
 * - `send.return`: it takes the order, and the network returns it
 * - `lookUp`, `deposits`: it does not respond
 */
export type FailurePoint = 'send.before' | 'send.after' | 'send.refuse' | 'send.return' | 'lookUp' | 'deposits';

/** The failures that are yet to happen, of one provider. */
export interface CustodyFailures {
  /** Lets the next calls fail at a point. */
  failNext(point: FailurePoint, times?: number): void;
  /** Whether this call is to fail at a point: it is counted. */
  takes(point: FailurePoint): boolean;
}

export function createCustodyFailures(): CustodyFailures {
  const left = new Map<FailurePoint, number>();
  return {
    failNext: (point, times = 1) => {
      left.set(point, (left.get(point) ?? 0) + times);
    },
    takes: (point) => {
      const count = left.get(point) ?? 0;
      if (count > 0) left.set(point, count - 1);
      return count > 0;
    },
  };
}
