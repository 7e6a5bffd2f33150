import type { Pool } from 'pg';
import type { Context } from '../../../shared/kernel/context.js';
import { untilFew } from '../../../shared/kernel/until-few.js';
import { refreshTokenSeconds } from './access-tokens.js';
import type { Scope } from './credential.js';

const dayMs = 86_400_000;
const refreshTokenMs = refreshTokenSeconds * 1000;

/** Maximum number of live logins of a credential; a further one ends the one whose last refresh is the oldest. */
export const maxLiveFamilies = 100;

/** Inserts a family of tokens that begins now. */
export async function insertFamily({ manager, clock }: Context, id: string, credentialId: string): Promise<void> {
  const now = clock.now();
  await manager.execute(
    'INSERT INTO trading.token_families (id, credential_id, created_at, expires_at) VALUES ($1, $2, $3, $4)',
    [id, credentialId, now, new Date(now.getTime() + refreshTokenMs)],
  );
}

/**
 * Ends the families of a credential beyond the maximum, and returns their ids. Skips one that is being refreshed:
 * its refresh has locked the family and then waits for the credential, which is locked here.
 */
export function endExcessFamilies({ manager, clock }: Context, credentialId: string): Promise<string[]> {
  return manager.values(
    `WITH excess AS MATERIALIZED (
       SELECT id FROM trading.token_families WHERE credential_id = $1 AND ended_at IS NULL
       ORDER BY expires_at DESC, id DESC OFFSET ${maxLiveFamilies}),
     free AS MATERIALIZED (
       SELECT f.id FROM trading.token_families f JOIN excess USING (id) FOR NO KEY UPDATE OF f SKIP LOCKED)
     UPDATE trading.token_families f SET ended_at = $2 FROM free WHERE f.id = free.id RETURNING f.id`,
    [credentialId, clock.now()],
  );
}

/** Ends a family; a first end keeps its time. */
export async function endFamily({ manager, clock }: Context, id: string): Promise<void> {
  await manager.execute('UPDATE trading.token_families SET ended_at = coalesce(ended_at, $2) WHERE id = $1', [
    id,
    clock.now(),
  ]);
}

/** Adds a refresh token to a family, and extends the family's life to that of the token. */
export async function insertRefreshToken({ manager, clock }: Context, familyId: string, hash: Buffer): Promise<void> {
  const now = clock.now();
  await manager.execute(
    `WITH lived AS (UPDATE trading.token_families SET expires_at = greatest(expires_at, $4) WHERE id = $2)
     INSERT INTO trading.refresh_tokens (token_hash, family_id, issued_at, expires_at) VALUES ($1, $2, $3, $4)`,
    [hash, familyId, now, new Date(now.getTime() + refreshTokenMs)],
  );
}

/** A refresh token, its family, and its credential. */
export interface RefreshTokenRow {
  readonly familyId: string;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly endedAt: Date | null;
  readonly credentialId: string;
  readonly companyId: string;
  readonly allowedNetworks: readonly string[] | null;
  readonly credentialExpiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Finds the refresh token with a hash. Locks its family until the transaction ends, so that refreshes in it run one after another. */
export async function lockRefreshToken({ manager }: Context, hash: Buffer): Promise<RefreshTokenRow | undefined> {
  await manager.execute(
    `SELECT FROM trading.token_families
     WHERE id = (SELECT family_id FROM trading.refresh_tokens WHERE token_hash = $1) FOR NO KEY UPDATE`,
    [hash],
  );
  // A separate statement, which sees the changes that the previous one waited for.
  return manager.row(
    `SELECT r.family_id AS "familyId", r.expires_at AS "expiresAt", r.used_at AS "usedAt", f.ended_at AS "endedAt",
       c.id AS "credentialId", c.company_id AS "companyId", c.allowed_networks::text[] AS "allowedNetworks",
       c.expires_at AS "credentialExpiresAt", c.revoked_at AS "revokedAt"
     FROM trading.refresh_tokens r
     JOIN trading.token_families f ON f.id = r.family_id
     JOIN trading.credentials c ON c.id = f.credential_id
     WHERE r.token_hash = $1`,
    [hash],
  );
}

/** Whether a family has the refresh token with a hash. */
export async function isOfFamily({ manager }: Context, familyId: string, hash: Buffer): Promise<boolean> {
  const found = await manager.value<boolean>(
    'SELECT true FROM trading.refresh_tokens WHERE token_hash = $1 AND family_id = $2',
    [hash, familyId],
  );
  return found === true;
}

/** Records that a refresh token was used. */
export async function useRefreshToken({ manager, clock }: Context, hash: Buffer): Promise<void> {
  await manager.execute('UPDATE trading.refresh_tokens SET used_at = $2 WHERE token_hash = $1', [hash, clock.now()]);
}

/** How long expired tokens are kept, so that a late second use still ends the family. */
const tokensKeptMs = dayMs;
/** Longer than its tokens, which refer to it. */
const familiesKeptMs = 7 * dayMs;
const batch = 5_000;

/** Deletes old tokens and families, in batches. */
export async function forgetEndedFamilies({ manager, clock }: Context, stopping?: AbortSignal): Promise<void> {
  const now = clock.now().getTime();
  const forget = (table: string, key: string, before: Date) =>
    untilFew(
      batch,
      () =>
        manager.execute(
          `DELETE FROM trading.${table} WHERE ${key} IN (
             SELECT ${key} FROM trading.${table} WHERE expires_at < $1 LIMIT ${batch})`,
          [before],
        ),
      stopping,
    );
  await forget('refresh_tokens', 'token_hash', new Date(now - tokensKeptMs));
  await forget('token_families', 'id', new Date(now - familiesKeptMs));
}

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
