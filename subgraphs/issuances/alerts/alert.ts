import { Decimal, round } from '../../../shared/kernel/decimal.js';
import type { ListKey } from '../../../shared/graphql/list-page.js';
import type { Report } from '../reports/report-schema.js';

export const alertKinds = ['COVENANT_BREACHED', 'PAYMENT_OVERDUE', 'OBLIGATION_OVERDUE'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Returns a covenant's excess in percentage points, 4 decimals; null while the covenant is fulfilled or cannot be computed. 0.0000 is an excess that only shows before rounding. */
export function excessOf({ comparison, threshold, value, fulfilled }: Report['covenants'][number]): string | null {
  if (value === null || fulfilled !== false) return null;
  const beyond = new Decimal(value).minus(threshold);
  return round(comparison === 'AT_MOST' ? beyond : beyond.negated(), 4)
    .abs()
    .toFixed(4);
}

interface Placed {
  readonly kind: AlertKind;
  readonly dueDate: string | null;
  readonly operationTicker: string;
  readonly id: string;
}

/** Keys by which alerts are sorted: covenants, then payments and obligations, the most overdue first. */
export const placeKeys: readonly ListKey<Placed>[] = [
  { of: ({ kind }) => String(alertKinds.indexOf(kind)) },
  { of: ({ dueDate }) => dueDate ?? '' },
  { of: ({ operationTicker }) => operationTicker },
  { of: ({ id }) => id },
];
