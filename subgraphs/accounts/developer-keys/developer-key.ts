import type { FaultDetail } from '../../../shared/errors.js';

/** What a developer may give a key of theirs. */
export const grantedScopes = ['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write'] as const;

/** What a key may have: `operator` is given at the command line alone. */
export const scopes = [...grantedScopes, 'operator'] as const;
export type DeveloperScope = (typeof scopes)[number];

/** Most keys of one account that are neither revoked nor expired. */
export const maxDeveloperKeys = 20;

/** The scopes that a text names, each once and in the order of the catalogue, or what is wrong with them. */
export function readScopes(
  given: readonly string[],
  known: readonly DeveloperScope[] = grantedScopes,
): { readonly scopes: readonly DeveloperScope[]; readonly faults: readonly FaultDetail[] } {
  const faults = given.flatMap((scope, index) =>
    known.some((name) => name === scope)
      ? []
      : [{ path: `scopes[${index}]`, message: `must be one of ${known.join(', ')}` }],
  );
  if (given.length === 0) faults.push({ path: 'scopes', message: `must name at least one of ${known.join(', ')}` });
  return { scopes: known.filter((name) => given.includes(name)), faults: faults.slice(0, 20) };
}
