import type { ErrorDetail } from './errors.js';

/** Returns the error of an input where a condition is not met, as a list with others: none, or the one of the path. */
export function unless(isRight: boolean, path: string, message: string): ErrorDetail[] {
  return isRight ? [] : [{ path, message }];
}
