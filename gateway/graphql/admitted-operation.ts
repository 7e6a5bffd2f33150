import type { Prepared } from '../graph/operation.js';
import type { OperationCost } from '../graph/limits/cost.js';
import type { ThrottledFields } from '../graph/limits/throttled-fields.js';

/** A caller's operation that is valid, within the limits, and planned. */
export interface Admitted extends ThrottledFields {
  readonly prepared: Prepared;
  readonly cost: OperationCost;
  readonly maxCost: number;
}
