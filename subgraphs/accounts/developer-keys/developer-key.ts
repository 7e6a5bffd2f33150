import type { ErrorDetail } from '../../../shared/errors.js';

/** Scopes that developers can give their own keys. */
export const grantedScopes = ['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write'] as const;

/**
 * Scopes that a key may have. `operator` was granted before operators had their own keys: such keys keep working with the roles
 * read, publish and originate until they expire, and no new ones are created.
 */
export const scopes = [...grantedScopes, 'operator'] as const;
export type DeveloperScope = (typeof scopes)[number];

/** Maximum number of keys of one account that are neither revoked nor expired. */
export const maxDeveloperKeys = 20;

/** Returns the scopes in a list, without duplicates and in the order of the catalogue, or its errors. */
export function readScopes(given: readonly string[]): {
  readonly scopes: readonly DeveloperScope[];
  readonly errors: readonly ErrorDetail[];
} {
  const errors = given.flatMap((scope, index) =>
    grantedScopes.some((name) => name === scope)
      ? []
      : [{ path: `scopes[${index}]`, message: `must be one of ${grantedScopes.join(', ')}` }],
  );
  if (given.length === 0)
    errors.push({ path: 'scopes', message: `must contain at least one of ${grantedScopes.join(', ')}` });
  return { scopes: grantedScopes.filter((name) => given.includes(name)), errors: errors.slice(0, 20) };
}
