/**
 * Points at which the simulated provider can fail.
 * - `send.before`: the order never reaches it, and nobody knows
 * - `send.after`: it accepts the order, and its response is lost
 * - `send.refuse`: it rejects the order
 * - `send.return`: it accepts the order, and the network returns it
 * - `lookUp`, `deposits`: it does not respond
 */
export type FailurePoint = 'send.before' | 'send.after' | 'send.refuse' | 'send.return' | 'lookUp' | 'deposits';

/** The planned failures of one provider. */
export interface CustodyFailures {
  /** Makes the next calls fail at a point. */
  failNext(point: FailurePoint, times?: number): void;
  /** Whether this call fails at a point; the call is counted. */
  takes(point: FailurePoint): boolean;
}

export function createCustodyFailures(): CustodyFailures {
  const left = new Map<FailurePoint, number>();
  return {
    failNext: (point, times = 1) => left.set(point, (left.get(point) ?? 0) + times),
    takes: (point) => {
      const count = left.get(point) ?? 0;
      if (count > 0) left.set(point, count - 1);
      return count > 0;
    },
  };
}
