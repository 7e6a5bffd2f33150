/** Lifetime of a session (docs/contract/accounts.md §2.1). */
export const sessionLifetimeMs = 12 * 3_600_000;
