import type { PriceIndex } from './policy.js';

/** What the market has not published yet, or the house not loaded: the first thing that a price lacks. Never guessed. */
export type MissingInput =
  | { readonly index: PriceIndex; /** `YYYY-MM` */ readonly month: string }
  | { readonly index: 'DI'; /** `YYYY-MM-DD` */ readonly day: string };

/** The outcome in place of a price, or of a factor, that cannot be known. */
export interface Missing {
  readonly missing: MissingInput;
}

export function isMissing(outcome: object): outcome is Missing {
  return 'missing' in outcome;
}
