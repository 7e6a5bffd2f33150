import type { ErrorDetail } from '../../../shared/errors.js';

/** What a developer may give a key of theirs. */
export const grantedScopes = ['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write'] as const;

/**
 * What a key may have. `operator` was given before operators had keys of their own: such keys go on working with the roles read,
 * publish and originate until they expire, and none is made any more.
 */
export const scopes = [...grantedScopes, 'operator'] as const;
export type DeveloperScope = (typeof scopes)[number];

/** Most keys of one account that are neither revoked nor expired. */
export const maxDeveloperKeys = 20;

/** The scopes that a text names, each once and in the order of the catalogue, or what is wrong with them. */
export function readScopes(given: readonly string[]): {
  readonly scopes: readonly DeveloperScope[];
  readonly faults: readonly ErrorDetail[];
} {
  const faults = given.flatMap((scope, index) =>
    grantedScopes.some((name) => name === scope)
      ? []
      : [{ path: `scopes[${index}]`, message: `must be one of ${grantedScopes.join(', ')}` }],
  );
  if (given.length === 0)
    faults.push({ path: 'scopes', message: `must name at least one of ${grantedScopes.join(', ')}` });
  return { scopes: grantedScopes.filter((name) => given.includes(name)), faults: faults.slice(0, 20) };
}
