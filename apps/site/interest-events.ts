import type { Locale } from './page.js';

interface Instalment {
  /** The number of the event that it is of; null for an instalment. */
  readonly event: string | null;
  readonly interestEvent: 'PAID' | 'INCORPORATED' | 'ACCRUED';
  readonly amortizationPercentage: string;
}

interface Declared {
  readonly number: string;
  readonly kindLabel: string;
}

/** Returns what an instalment is: interest, amortization or both, as the payments of an operation are named; or the event that it is of. */
export function eventOf(locale: Locale, instalment: Instalment, events: readonly Declared[]): string {
  const { event, interestEvent, amortizationPercentage } = instalment;
  const declared = events.find(({ number }) => number === event);
  if (declared !== undefined) return declared.kindLabel;
  const { alone, withAmortization } = locale.text.tranche.events[interestEvent];
  return Number(amortizationPercentage) === 0 ? alone : withAmortization;
}
