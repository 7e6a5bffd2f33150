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

/** Returns the name of an instalment: interest, amortization or both, named like payments of an operation; or the name of its event. */
export function eventOf(locale: Locale, instalment: Instalment, events: readonly Declared[]): string {
  const { event, interestEvent, amortizationPercentage } = instalment;
  const declared = events.find(({ number }) => number === event);
  if (declared !== undefined) return declared.kindLabel;
  const { alone, withAmortization } = locale.text.tranche.events[interestEvent];
  return Number(amortizationPercentage) === 0 ? alone : withAmortization;
}
