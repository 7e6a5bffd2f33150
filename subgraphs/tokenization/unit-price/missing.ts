import type { PriceIndex } from './policy.js';

/** The first number that a price lacks, because it is not published or not loaded yet. Missing numbers are never estimated. */
export type MissingInput =
  | { readonly index: PriceIndex; /** `YYYY-MM` */ readonly month: string }
  | { readonly index: 'DI'; /** `YYYY-MM-DD` */ readonly day: string };

/** Returned in place of a price or factor that cannot be computed. */
export interface Missing {
  readonly missing: MissingInput;
}

export function isMissing(outcome: object): outcome is Missing {
  return 'missing' in outcome;
}
