import { z } from 'zod';
import { operate, shown } from './operate.js';
import type { Values } from './trader-values.js';
import { listOf, said } from './values.js';

export const credentialFields = 'id apiKey scopes allowedNetworks createdAt expiresAt lastUsedAt revokedAt';
export const credentialForm = z.object({
  id: z.string(),
  apiKey: z.string(),
  scopes: z.array(z.string()),
  allowedNetworks: z.array(z.string()).nullable(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});

export function addCredential(companyId: string, values: Values): Promise<number> {
  const { scopes = '', allow, expires } = values;
  return operate(
    `mutation ($companyId: ID!, $scopes: [String!]!, $allowedNetworks: [String!], $expiresAt: DateTime) {
      added: addTradingCredential(companyId: $companyId, scopes: $scopes, allowedNetworks: $allowedNetworks, expiresAt: $expiresAt)
        { ${credentialFields} secretKey } }`,
    said({
      companyId,
      scopes: listOf(scopes),
      allowedNetworks: allow === undefined ? undefined : listOf(allow),
      expiresAt: expires,
    }),
    z.object({ added: credentialForm.extend({ secretKey: z.string() }) }),
    shown(
      values,
      ({ added: { id, apiKey, secretKey, scopes: granted } }) => `${apiKey} ${secretKey}

This is the pair of the credential ${id}: ${granted.join(', ')}. The secret cannot be shown again.
The company logs in by POST /v1/auth/login with apiKey and secretKey.`,
    ),
  );
}

export function changeCredential(id: string, values: Values): Promise<number> {
  const { scopes, allow } = values;
  return operate(
    `mutation ($id: ID!, $scopes: [String!], $allowedNetworks: [String!]) {
      changed: changeTradingCredential(id: $id, scopes: $scopes, allowedNetworks: $allowedNetworks) { ${credentialFields} } }`,
    said({
      id,
      scopes: scopes === undefined ? undefined : listOf(scopes),
      allowedNetworks: allow === 'anywhere' ? null : allow === undefined ? undefined : listOf(allow),
    }),
    z.object({ changed: credentialForm }),
    shown(values, ({ changed }) => lineOfCredential(changed)),
  );
}

export function revokeCredential(id: string, values: Values): Promise<number> {
  return operate(
    'mutation ($id: ID!) { revoked: revokeTradingCredential(id: $id) }',
    { id },
    z.object({ revoked: z.boolean() }),
    shown(values, () => `The credential ${id} is revoked.`),
  );
}

export function lineOfCredential(credential: z.infer<typeof credentialForm>): string {
  const { id, apiKey, scopes, allowedNetworks, expiresAt, revokedAt } = credential;
  const from = allowedNetworks === null ? '' : `  from ${allowedNetworks.join(',')}`;
  const until = expiresAt === null ? '' : `  until ${expiresAt}`;
  return `${id}  ${apiKey}  ${scopes.join(',')}${from}${revokedAt === null ? until : `  revoked ${revokedAt}`}`;
}
