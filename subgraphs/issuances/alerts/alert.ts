import { Decimal, round } from '../../../shared/decimal.js';
import type { Report } from '../reports/report-schema.js';

export const alertKinds = ['COVENANT_BREACHED', 'PAYMENT_OVERDUE', 'OBLIGATION_OVERDUE'] as const;
export type AlertKind = (typeof alertKinds)[number];

/**
 * Returns by how many percentage points a figure is beyond its threshold, 4 decimals; null while the covenant is fulfilled or cannot be
 * computed. It is 0.0000 for an excess that only shows before rounding.
 */
export function excessOf({ comparison, threshold, value, fulfilled }: Report['covenants'][number]): string | null {
  if (value === null || fulfilled !== false) return null;
  const beyond = new Decimal(value).minus(threshold);
  return round(comparison === 'AT_MOST' ? beyond : beyond.negated(), 4)
    .abs()
    .toFixed(4);
}

/** Place of an alert in the list: covenants, then payments and obligations, the most overdue first. */
export function placeOf(alert: {
  readonly kind: AlertKind;
  readonly dueDate: string | null;
  readonly operationTicker: string;
  readonly id: string;
}): readonly string[] {
  return [String(alertKinds.indexOf(alert.kind)), alert.dueDate ?? '', alert.operationTicker, alert.id];
}

/** Compares two places, part by part. */
export function comparePlaces(left: readonly string[], right: readonly string[]): number {
  const index = left.findIndex((part, at) => part !== right[at]);
  if (index === -1) return 0;
  return (left[index] ?? '') < (right[index] ?? '') ? -1 : 1;
}
