import type { Prepared } from '../graph/operation.js';
import type { OperationCost } from '../graph/limits/cost.js';
import type { ThrottledFields } from '../graph/limits/throttled-fields.js';

/** A caller's operation that is valid, within the limits, and planned. */
export interface Admitted extends ThrottledFields {
  readonly prepared: Prepared;
  /** Its cost, in points of the rate limit. */
  readonly cost: OperationCost;
  /** Maximum cost of a run. */
  readonly maxCost: number;
}
