import type { Principal } from '../kernel/context.js';
import { ApiError, byRule } from '../kernel/errors.js';

/**
 * The roles of an operator:
 * - `read`: see what operators see, including personal data. Every other role includes it
 * - `publish`: series, schedules, prices, payments, contracts, credits of debtors, imports and their reversal, exports, reports of months
 * - `originate`: originators, their keys and permits, eligibility criteria of estates, files of credits
 * - `trade`: companies that trade: onboarding and limits; markets and currencies, halts, orders in quarantine, transfers, reconciliation
 * - `administer`: operators and their keys, accounts, limits of keys, the audit log, jobs, the queues of mail and events, exchanges, corrections and findings of the ledger, halted currencies
 */
export const roles = ['read', 'publish', 'originate', 'trade', 'administer'] as const;
export type Role = (typeof roles)[number];

export function hasRole({ kind, scopes }: Principal, role: Role): boolean {
  if (kind === 'SYSTEM') return true;
  return (
    kind === 'OPERATOR' && (scopes.includes(role) || (role === 'read' && roles.some((one) => scopes.includes(one))))
  );
}

/** Requires a role of the caller. @throws {ApiError} FORBIDDEN, which names the role */
export function demandRole(principal: Principal, role: Role): void {
  if (hasRole(principal, role)) return;
  throw new ApiError('FORBIDDEN', byRule('ROLE_MISSING', { role }));
}
