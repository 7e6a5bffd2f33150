import type { Pool } from 'pg';
import type { Context } from '../../../shared/kernel/context.js';

const keyTables = ['api_keys', 'developer_keys'] as const;

/** Tables of the keys of accounts, one per kind. */
export type KeyTable = (typeof keyTables)[number];

/** Counts the keys of one kind of an account that work. One that was rotated does not count while its replacement works. */
export function countWorkingKeys({ manager, clock }: Context, table: KeyTable, accountId: string): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::integer AS count FROM accounts.${table} AS key
     WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND NOT EXISTS (
       SELECT FROM accounts.${table} AS next
       WHERE next.id = key.replaced_by AND next.revoked_at IS NULL AND next.expires_at > $2)`,
    [accountId, clock.now()],
  );
}

/** Returns when the newest keys of one kind of an account were made, the newest first. */
export function newestKeys(
  { manager }: Context,
  table: KeyTable,
  accountId: string,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<Date[]> {
  return manager.values<Date>(
    `SELECT created_at FROM accounts.${table} WHERE account_id = $1 AND created_at > $2 ORDER BY created_at DESC LIMIT $3`,
    [accountId, since, limit],
  );
}

/** Revokes a key of an account; the first time is kept. Returns its prefix, or undefined if the account has no such key. */
export function revoke(context: Context, table: KeyTable, accountId: string, id: string): Promise<string | undefined> {
  return context.manager.value(
    `UPDATE accounts.${table} SET revoked_at = coalesce(revoked_at, $3)
     WHERE id = $2 AND account_id = $1 RETURNING prefix`,
    [accountId, id, context.clock.now()],
  );
}

/** Revokes every working key of an account, of both kinds, and returns their prefixes. Its row must be locked, so that none is added. */
export function revokeAllKeys(context: Context, accountId: string): Promise<string[]> {
  return inEachTable(context, [accountId, context.clock.now()], (table) => {
    return `UPDATE ${table} SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > $2`;
  });
}

/** Deletes every key of an account, of both kinds, and returns their prefixes. */
export function removeKeys(context: Context, accountId: string): Promise<string[]> {
  return inEachTable(context, [accountId], (table) => `DELETE FROM ${table} WHERE account_id = $1`);
}

async function inEachTable(
  { manager }: Context,
  parameters: unknown[],
  change: (table: string) => string,
): Promise<string[]> {
  const prefixes: string[] = [];
  for (const table of keyTables) {
    prefixes.push(...(await manager.values<string>(`${change(`accounts.${table}`)} RETURNING prefix`, parameters)));
  }
  return prefixes;
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
