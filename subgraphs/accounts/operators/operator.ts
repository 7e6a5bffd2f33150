import type { ErrorDetail } from '../../../shared/errors.js';
import { roles, type Role } from '../../../shared/subgraph/roles.js';

/** Most keys of one operator that are neither revoked nor expired: the one in use, and others while they are replaced. */
export const maxOperatorKeys = 5;
/** How long a key works, in days: when nothing else is said, and at most. */
export const keyDays = { usual: 365, most: 365 } as const;

/** The roles that a text names, each once and in the order of the catalogue, or what is wrong with them. */
export function readRoles(given: readonly string[]): {
  readonly roles: readonly Role[];
  readonly faults: ErrorDetail[];
} {
  const faults = given.flatMap((role, index) =>
    roles.some((name) => name === role)
      ? []
      : [{ path: `roles[${index}]`, message: `must be one of ${roles.join(', ')}` }],
  );
  if (given.length === 0) faults.push({ path: 'roles', message: `must name at least one of ${roles.join(', ')}` });
  return { roles: roles.filter((name) => given.includes(name)), faults: faults.slice(0, 20) };
}

/** What is wrong with the days for which a key is to work. */
export function daysErrors(days: number): ErrorDetail[] {
  const right = Number.isInteger(days) && days >= 1 && days <= keyDays.most;
  return right ? [] : [{ path: 'days', message: `must be from 1 to ${keyDays.most}` }];
}
