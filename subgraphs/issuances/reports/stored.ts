import type { Decimal } from '../../../shared/decimal.js';

/** Facts as a query returns them: decimals as text, and the operation that they are about. */
export type Stored<Facts> = {
  readonly [Field in keyof Facts]: Facts[Field] extends Decimal ? string : Facts[Field];
} & {
  readonly operationId: string;
};
