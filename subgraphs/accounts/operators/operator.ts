import { type ErrorDetail, unless, errorAt } from '../../../shared/kernel/errors.js';

/** Maximum number of keys of one operator that are neither revoked nor expired: the one in use, and others during replacement. */
export const maxOperatorKeys = 5;
/** Lifetime of a key in days: default and maximum. */
export const keyDays = { usual: 365, most: 365 } as const;

export function daysErrors(days: number): ErrorDetail[] {
  const right = Number.isInteger(days) && days >= 1 && days <= keyDays.most;
  return unless(right, errorAt('days', 'NUMBER_RANGE', { min: 1, max: keyDays.most }));
}
