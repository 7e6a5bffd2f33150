import type { Pool } from 'pg';
import { IsNull, MoreThan } from 'typeorm';
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

/** Counts the keys of an account that are ACTIVE and not expired. */
export function countWorkingKeys(context: Context, accountId: string): Promise<number> {
  return context.manager.countBy(ApiKeyRow, {
    accountId,
    revokedAt: IsNull(),
    expiresAt: MoreThan(context.clock.now()),
  });
}

/** Whether a key with a prefix exists, of any account. */
export function keyExists(context: Context, prefix: string): Promise<boolean> {
  return context.manager.existsBy(ApiKeyRow, { prefix });
}

export async function addKey(
  context: Context,
  key: Omit<ApiKeyRow, 'requestCount' | 'lastUsedAt' | 'revokedAt'>,
): Promise<void> {
  await context.manager.insert(ApiKeyRow, key);
}

/** Revokes a key of an account; the first time is kept. Returns its prefix, or undefined if the account has no such key. */
export function revoke(context: Context, accountId: string, id: string): Promise<string | undefined> {
  return context.manager.value(
    'UPDATE accounts.api_keys SET revoked_at = coalesce(revoked_at, $3) WHERE id = $2 AND account_id = $1 RETURNING prefix',
    [accountId, id, context.clock.now()],
  );
}

/** Tables of keys, one per kind. */
export type KeyTable = 'api_keys' | 'developer_keys';

/** Revokes the keys of one kind of an account that are neither revoked nor expired, and returns their prefixes. */
export function revokeAll(context: Context, table: KeyTable, accountId: string): Promise<string[]> {
  return context.manager.values(
    `UPDATE accounts.${table} SET revoked_at = $2
     WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > $2 RETURNING prefix`,
    [accountId, context.clock.now()],
  );
}

/** Deletes the keys of one kind of an account, and returns their prefixes. */
export function removeKeys(context: Context, table: KeyTable, accountId: string): Promise<string[]> {
  return context.manager.values(`DELETE FROM accounts.${table} WHERE account_id = $1 RETURNING prefix`, [accountId]);
}

/** The fields that decide whether a key authenticates, and as whom. */
export type KnownKey = Pick<ApiKeyRow, 'id' | 'accountId' | 'secretHash' | 'rateLimit' | 'expiresAt' | 'revokedAt'>;

/** Returns the key with a prefix, even if revoked or expired, unless its account is disabled. */
export async function readKey(pool: Pool, prefix: string): Promise<KnownKey | undefined> {
  const { rows } = await pool.query<KnownKey>({
    name: 'accounts.key',
    text: `SELECT key.id, account_id AS "accountId", secret_hash AS "secretHash", rate_limit AS "rateLimit",
             expires_at AS "expiresAt", revoked_at AS "revokedAt"
           FROM accounts.api_keys AS key JOIN accounts.accounts AS account ON account.id = account_id
           WHERE prefix = $1 AND disabled_at IS NULL`,
    values: [prefix],
  });
  return rows[0];
}

/** Increments of the usage of a key. */
export interface KeyUse {
  readonly requests: number;
  readonly lastUsedAt: Date;
}

/** Adds to the usage of keys of one kind, by id, in one statement. */
export async function addUse(
  pool: Pool,
  table: KeyTable | 'operator_keys',
  uses: ReadonlyMap<string, KeyUse>,
): Promise<void> {
  const values = [...uses.values()];
  // Locks keys in a fixed order, so that instances that write at the same time cannot deadlock.
  await pool.query(
    `WITH used AS (SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) AS used(id, requests, last_used_at)),
       locked AS (SELECT id FROM accounts.${table} WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)
     UPDATE accounts.${table} AS key
     SET request_count = key.request_count + used.requests, last_used_at = greatest(key.last_used_at, used.last_used_at)
     FROM used JOIN locked USING (id) WHERE key.id = used.id`,
    [[...uses.keys()], values.map(({ requests }) => requests), values.map(({ lastUsedAt }) => lastUsedAt)],
  );
}
