import type { ErrorDetail } from '../../../shared/errors.js';
import { roles, type Role } from '../../../shared/subgraph/roles.js';

/** Maximum number of keys of one operator that are neither revoked nor expired: the one in use, and others during replacement. */
export const maxOperatorKeys = 5;
/** Lifetime of a key in days: default and maximum. */
export const keyDays = { usual: 365, most: 365 } as const;

/** Returns the roles in a list, without duplicates and in the order of the catalogue, or its errors. */
export function readRoles(given: readonly string[]): {
  readonly roles: readonly Role[];
  readonly errors: ErrorDetail[];
} {
  const errors = given.flatMap((role, index) =>
    roles.some((name) => name === role)
      ? []
      : [{ path: `roles[${index}]`, message: `must be one of ${roles.join(', ')}` }],
  );
  if (given.length === 0) errors.push({ path: 'roles', message: `must contain at least one of ${roles.join(', ')}` });
  return { roles: roles.filter((name) => given.includes(name)), errors: errors.slice(0, 20) };
}

/** Returns the errors of a key's lifetime in days. */
export function daysErrors(days: number): ErrorDetail[] {
  const right = Number.isInteger(days) && days >= 1 && days <= keyDays.most;
  return right ? [] : [{ path: 'days', message: `must be from 1 to ${keyDays.most}` }];
}
