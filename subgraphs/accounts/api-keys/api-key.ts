/** Lifetime of a key: 365 days (docs/contract/accounts.md §3.2). */
export const keyLifetimeMs = 365 * 86_400_000;

export type ApiKeyStatus = 'ACTIVE' | 'REVOKED';

/** Returns the displayed status of a key. Expiry is not a status: an expired key shows ACTIVE with a past `expiresAt`. */
export function statusOf(key: { readonly revokedAt: Date | null }): ApiKeyStatus {
  return key.revokedAt === null ? 'ACTIVE' : 'REVOKED';
}

export function works(key: { readonly revokedAt: Date | null; readonly expiresAt: Date }, now: Date): boolean {
  return key.revokedAt === null && key.expiresAt > now;
}
