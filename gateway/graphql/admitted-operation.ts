import type { Prepared } from '../graph/operation.js';
import type { OperationCost } from '../graph/limits/cost.js';
import type { ThrottledFields } from '../graph/limits/throttled-fields.js';

export interface Admitted extends ThrottledFields {
  readonly prepared: Prepared;
  readonly cost: OperationCost;
  readonly maxCost: number;
}
