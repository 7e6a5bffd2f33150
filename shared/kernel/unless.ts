import type { ErrorDetail } from './errors.js';

/** Returns the error of an input where a condition is not met, as a list with others: none, or that one. */
export function unless(isRight: boolean, error: ErrorDetail): ErrorDetail[] {
  return isRight ? [] : [error];
}
