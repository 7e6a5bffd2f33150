import type { Pool } from 'pg';
import type { Context } from '../../../shared/kernel/context.js';
import type { DeveloperScope } from './developer-key.js';

/** A developer key. The key itself is shown once and not stored. */
export interface DeveloperKeyRow {
  readonly id: string;
  readonly accountId: string;
  /** `svc_dev_<prefix>`, unique. */
  readonly prefix: string;
  /** SHA-256 of the whole key. */
  readonly secretHash: Buffer;
  readonly name: string;
  readonly scopes: readonly DeveloperScope[];
  /** Requests per minute set by an operator; null to use the configuration. */
  readonly rateLimit: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Delayed by some seconds, as is `requestCount`. */
  readonly lastUsedAt: Date | null;
  readonly requestCount: number;
  readonly revokedAt: Date | null;
  /** The key that a rotation created in its place; null unless it was rotated. */
  readonly replacedBy: string | null;
}

export type ListedKey = Omit<DeveloperKeyRow, 'secretHash' | 'accountId'>;

export function listKeys(context: Context, accountId: string, take = 200): Promise<ListedKey[]> {
  return context.manager.rows(
    `SELECT id, prefix, name, scopes, rate_limit AS "rateLimit", created_at AS "createdAt", expires_at AS "expiresAt",
       last_used_at AS "lastUsedAt", request_count::float8 AS "requestCount", revoked_at AS "revokedAt",
       replaced_by AS "replacedBy"
     FROM accounts.developer_keys WHERE account_id = $1
     ORDER BY revoked_at DESC NULLS FIRST, created_at DESC, id DESC LIMIT $2`,
    [accountId, take],
  );
}

/** The fields that a new key does not have. */
export type Unused = Pick<DeveloperKeyRow, 'lastUsedAt' | 'requestCount' | 'revokedAt' | 'replacedBy'>;

/** Adds a key, unless one with its prefix exists. */
export async function addKey(context: Context, key: Omit<DeveloperKeyRow, keyof Unused>): Promise<void> {
  await context.manager.execute(
    `INSERT INTO accounts.developer_keys
       (id, account_id, prefix, secret_hash, name, scopes, rate_limit, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (prefix) DO NOTHING`,
    [
      key.id,
      key.accountId,
      key.prefix,
      key.secretHash,
      key.name,
      key.scopes,
      key.rateLimit,
      key.createdAt,
      key.expiresAt,
    ],
  );
}

/** Returns the confirmed account with an e-mail, ignoring case; one registered here takes precedence over one of the portal. */
export function findConfirmed(context: Context, email: string): Promise<string | undefined> {
  return context.manager.value(
    `SELECT id FROM accounts.accounts WHERE lower(email) = lower($1) AND confirmed_at IS NOT NULL
     ORDER BY owner_type DESC LIMIT 1`,
    [email],
  );
}

/** The fields that decide whether a key authenticates, as whom, and for what. */
export type KnownDeveloperKey = Omit<
  DeveloperKeyRow,
  'prefix' | 'name' | 'createdAt' | 'lastUsedAt' | 'requestCount' | 'replacedBy'
>;

/** Returns the key with a prefix, even if revoked or expired, unless its account is disabled. */
export async function readDeveloperKey(pool: Pool, prefix: string): Promise<KnownDeveloperKey | undefined> {
  const { rows } = await pool.query<KnownDeveloperKey>(
    `SELECT key.id, account_id AS "accountId", secret_hash AS "secretHash", scopes, rate_limit AS "rateLimit",
       expires_at AS "expiresAt", revoked_at AS "revokedAt"
     FROM accounts.developer_keys AS key JOIN accounts.accounts AS account ON account.id = account_id
     WHERE prefix = $1 AND disabled_at IS NULL`,
    [prefix],
  );
  return rows[0];
}
