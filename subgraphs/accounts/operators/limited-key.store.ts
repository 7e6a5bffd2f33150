import type { Context } from '../../../shared/context.js';
import type { KeyTable } from '../api-keys/key.store.js';

/** A key with its limit, as operators see it. */
export interface LimitedKeyRow {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  /** Its own requests per minute; null to use the configuration. */
  readonly rateLimit: number | null;
}

/** Returns the key of one kind with a prefix, locked until the end of the transaction. */
export function lockKeyLimit(
  { manager }: Context,
  table: KeyTable,
  prefix: string,
): Promise<LimitedKeyRow | undefined> {
  return manager.row(
    `SELECT id, prefix, name, rate_limit AS "rateLimit" FROM accounts.${table} WHERE prefix = $1 FOR NO KEY UPDATE`,
    [prefix],
  );
}

/** Gives a key its own limit; null to use the configuration. */
export async function setKeyLimit(
  { manager }: Context,
  table: KeyTable,
  id: string,
  rateLimit: number | null,
): Promise<void> {
  await manager.execute(`UPDATE accounts.${table} SET rate_limit = $2 WHERE id = $1`, [id, rateLimit]);
}
