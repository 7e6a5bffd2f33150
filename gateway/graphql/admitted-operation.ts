import type { Variables } from '../../shared/subgraph/variables.js';
import type { Prepared } from '../operation.js';
import type { ThrottledFields } from './throttled-fields.js';

/** An operation of a caller that is within the limits, valid and planned. */
export interface Admitted extends ThrottledFields {
  readonly prepared: Prepared;
  /** What a run with these variables costs: points of the rate limit. */
  readonly price: (variables: Variables) => number;
}
