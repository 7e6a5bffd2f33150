import type { Pool } from 'pg';
import type { Context } from '../../../shared/context.js';
import { ApiKeyRow } from './api-key.entity.js';

/** Maximum number of keys in a list. Working keys come first, so that none of them can be missing. */
export const maxListedKeys = 200;

/** Returns the keys of an account: first those that are not revoked, newest first. */
export function listKeys(context: Context, accountId: string, take = maxListedKeys): Promise<ApiKeyRow[]> {
  return context.manager.find(ApiKeyRow, {
    where: { accountId },
    order: { revokedAt: { direction: 'DESC', nulls: 'FIRST' }, createdAt: 'DESC', id: 'DESC' },
    take,
  });
}

/** Whether a key with a prefix exists, of any account. */
export function keyExists(context: Context, prefix: string): Promise<boolean> {
  return context.manager.existsBy(ApiKeyRow, { prefix });
}

export async function addKey(
  context: Context,
  key: Omit<ApiKeyRow, 'requestCount' | 'lastUsedAt' | 'revokedAt' | 'replacedBy'>,
): Promise<void> {
  await context.manager.insert(ApiKeyRow, key);
}

/** The fields that decide whether a key authenticates, and as whom. */
export type KnownKey = Pick<ApiKeyRow, 'id' | 'accountId' | 'secretHash' | 'rateLimit' | 'expiresAt' | 'revokedAt'>;

/** Returns the key with a prefix, even if revoked or expired, unless its account is disabled. */
export async function readKey(pool: Pool, prefix: string): Promise<KnownKey | undefined> {
  const { rows } = await pool.query<KnownKey>(
    `SELECT key.id, account_id AS "accountId", secret_hash AS "secretHash", rate_limit AS "rateLimit",
       expires_at AS "expiresAt", revoked_at AS "revokedAt"
     FROM accounts.api_keys AS key JOIN accounts.accounts AS account ON account.id = account_id
     WHERE prefix = $1 AND disabled_at IS NULL`,
    [prefix],
  );
  return rows[0];
}
