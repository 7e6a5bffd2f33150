import type { Operations } from '../graph/operations.js';
import type { Locale } from '../page.js';

export type Operation = NonNullable<Operations['operationPage']['data']['operation']>;

export interface PartProps {
  readonly operation: Operation;
  readonly locale: Locale;
}
