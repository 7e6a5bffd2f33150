/** Scopes that developers can give their own keys. */
export const grantedScopes = ['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write'] as const;

/**
 * Scopes that a key may have. `operator` was granted before operators had their own keys: such keys keep working with the roles
 * read, publish and originate until they expire, and no new ones are created.
 */
export const scopes = [...grantedScopes, 'operator'] as const;
export type DeveloperScope = (typeof scopes)[number];
