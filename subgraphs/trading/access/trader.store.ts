import type { Pool } from 'pg';
import type { Scope } from './credential.js';

/** The row that decides whether an access token is valid, and for what. */
export interface LiveFamily {
  readonly credentialId: string;
  readonly companyId: string;
  readonly scopes: readonly Scope[];
  /** CIDR blocks; null for any network. */
  readonly allowedNetworks: readonly string[] | null;
  /** When the credential expires; null for never. */
  readonly expiresAt: Date | null;
  /** Requests per minute; null for the configured default. */
  readonly rateLimit: number | null;
}

/** Reads the family of tokens with an id, unless it has ended or its credential was revoked. */
export async function readFamily(pool: Pool, id: string): Promise<LiveFamily | undefined> {
  const { rows } = await pool.query<LiveFamily>(
    `SELECT c.id AS "credentialId", c.company_id AS "companyId", c.scopes,
       c.allowed_networks::text[] AS "allowedNetworks", c.expires_at AS "expiresAt", o.rate_limit AS "rateLimit"
     FROM trading.token_families f
     JOIN trading.credentials c ON c.id = f.credential_id
     JOIN trading.companies o ON o.id = c.company_id
     WHERE f.id = $1 AND f.ended_at IS NULL AND c.revoked_at IS NULL`,
    [id],
  );
  return rows[0];
}

/** Reads the credential with an id in the same form, unless it was revoked. */
export async function readLiveCredential(pool: Pool, id: string): Promise<LiveFamily | undefined> {
  const { rows } = await pool.query<LiveFamily>(
    `SELECT c.id AS "credentialId", c.company_id AS "companyId", c.scopes,
       c.allowed_networks::text[] AS "allowedNetworks", c.expires_at AS "expiresAt", o.rate_limit AS "rateLimit"
     FROM trading.credentials c JOIN trading.companies o ON o.id = c.company_id
     WHERE c.id = $1 AND c.revoked_at IS NULL`,
    [id],
  );
  return rows[0];
}
