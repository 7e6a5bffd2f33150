import type { Locale } from './locale.js';

/** An instalment of the schedule of a tokenized series, as far as its name depends on it. */
interface Instalment {
  readonly interestEvent: 'PAID' | 'INCORPORATED' | 'ACCRUED';
  readonly amortizationPercentage: string;
}

/** Returns what an instalment is: interest, amortization or both, as the payments of an operation are named. */
export function eventOf(locale: Locale, { interestEvent, amortizationPercentage }: Instalment): string {
  const { alone, withAmortization } = locale.text.tranche.events[interestEvent];
  return Number(amortizationPercentage) === 0 ? alone : withAmortization;
}
