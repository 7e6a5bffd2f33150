export const scopes = ['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write'] as const;
export type DeveloperScope = (typeof scopes)[number];
