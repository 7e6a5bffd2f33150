import type { Variables } from '../../shared/subgraph/variables.js';
import type { Prepared } from '../operation.js';
import type { ThrottledFields } from './throttled-fields.js';

/** A caller's operation that is valid, within the limits, and planned. */
export interface Admitted extends ThrottledFields {
  readonly prepared: Prepared;
  /** Returns the cost of a run with these variables, in points of the rate limit. */
  readonly price: (variables: Variables) => number;
}
