import type { Context } from '../../../shared/kernel/context.js';
import type { DeveloperScope } from '../developer-keys/developer-key.js';
import type { KeyTable } from './key.store.js';

/** A key of either kind as it is rotated. */
export interface RotatedKeyRow {
  readonly id: string;
  readonly accountId: string;
  readonly prefix: string;
  readonly name: string;
  /** Empty for an API key. */
  readonly scopes: readonly DeveloperScope[];
  readonly rateLimit: number | null;
  readonly requestCount: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly replacedBy: string | null;
}

/** Locks a key of an account until the end of the transaction. */
export function lockKey(
  { manager }: Context,
  table: KeyTable,
  accountId: string,
  id: string,
): Promise<RotatedKeyRow | undefined> {
  const scopes = table === 'developer_keys' ? 'scopes' : `'{}'::text[]`;
  return manager.row(
    `SELECT id, account_id AS "accountId", prefix, name, ${scopes} AS scopes, rate_limit AS "rateLimit",
       request_count::float8 AS "requestCount", created_at AS "createdAt", expires_at AS "expiresAt",
       last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", replaced_by AS "replacedBy"
     FROM accounts.${table} WHERE id = $2 AND account_id = $1 FOR NO KEY UPDATE`,
    [accountId, id],
  );
}

/** Returns the prefix of the key that a key replaced, if that one still works. */
export function findWorkingPredecessor(
  { manager, clock }: Context,
  table: KeyTable,
  id: string,
): Promise<string | undefined> {
  return manager.value(
    `SELECT prefix FROM accounts.${table} WHERE replaced_by = $1 AND revoked_at IS NULL AND expires_at > $2`,
    [id, clock.now()],
  );
}

/** Stores which key replaced a key, and its end. */
export async function replaceKey(
  { manager }: Context,
  table: KeyTable,
  { id, replacedBy, expiresAt, revokedAt }: Pick<RotatedKeyRow, 'id' | 'replacedBy' | 'expiresAt' | 'revokedAt'>,
): Promise<void> {
  await manager.execute(
    `UPDATE accounts.${table} SET replaced_by = $2, expires_at = $3, revoked_at = $4 WHERE id = $1`,
    [id, replacedBy, expiresAt, revokedAt],
  );
}
