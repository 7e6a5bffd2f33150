import type { Pool } from 'pg';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { untilFew } from '../../../shared/kernel/until-few.js';
import type { KeyUse } from './key.store.js';
import { ApiKeyRow } from './api-key.entity.js';

/** Use of a key on one day. */
export interface KeyDayRow {
  readonly keyId: string;
  /** Civil day in São Paulo. */
  readonly day: string;
  readonly requests: number;
  readonly refused: number;
}

/** Names the day of a key at a time, for a counter. */
export function dayOfKey(keyId: string, now: Date): string {
  return `${keyId} ${civilDate(now)}`;
}

/**
 * Adds to the use of keys by day, in one statement. Locks the keys against deletion while it writes: rows of a key that is being deleted are either
 * deleted with it, or not written.
 * @param uses by `dayOfKey`
 */
export async function addToDays(
  pool: Pool,
  what: 'requests' | 'refused',
  uses: ReadonlyMap<string, Pick<KeyUse, 'requests'>>,
): Promise<void> {
  const names = [...uses.keys()].map((name) => name.split(' '));
  await pool.query(
    `WITH used AS (SELECT * FROM unnest($1::uuid[], $2::date[], $3::bigint[]) AS used(key_id, day, requests)),
       api AS (SELECT id, account_id FROM accounts.api_keys WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE),
       developer AS (SELECT id, account_id FROM accounts.developer_keys WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE)
     INSERT INTO accounts.key_days AS known (key_id, day, account_id, ${what})
     SELECT key_id, day, account_id, used.requests
     FROM used JOIN (TABLE api UNION ALL TABLE developer) AS key ON key.id = key_id ORDER BY key_id, day
     ON CONFLICT (key_id, day) DO UPDATE SET ${what} = known.${what} + excluded.${what}`,
    [names.map(([id]) => id), names.map(([, day]) => day), [...uses.values()].map(({ requests }) => requests)],
  );
}

/** Returns the ids of those of some keys, of both kinds, that belong to an account, each with its own limit. */
export function listOwnKeys(
  { manager }: Context,
  accountId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly rateLimit: number | null }[]> {
  const from = (table: string) =>
    `SELECT id, rate_limit AS "rateLimit" FROM accounts.${table} WHERE id = ANY ($2) AND account_id = $1`;
  return manager.rows(`${from('api_keys')} UNION ALL ${from('developer_keys')}`, [accountId, ids]);
}

/** Returns the use of some keys from a day on; days without a request have no row. */
export function listKeyDays({ manager }: Context, keyIds: readonly string[], from: string): Promise<KeyDayRow[]> {
  return manager.rows(
    `SELECT key_id AS "keyId", day::text, requests::float8, refused::float8 FROM accounts.key_days
     WHERE key_id = ANY ($1) AND day >= $2`,
    [keyIds, from],
  );
}

/** Returns the stored use of the keys of an account, newest first. */
export function listHeldKeyDays({ manager }: Context, accountId: string, take: number): Promise<KeyDayRow[]> {
  return manager.rows(
    `SELECT key_id AS "keyId", day::text, requests::float8, refused::float8 FROM accounts.key_days
     WHERE account_id = $1 ORDER BY day DESC, key_id LIMIT $2`,
    [accountId, take],
  );
}

/** Deletes the use of the keys of an account. Its keys must be deleted already, in the same transaction. */
export async function removeKeyDays({ manager }: Context, accountId: string): Promise<void> {
  await manager.execute('DELETE FROM accounts.key_days WHERE account_id = $1', [accountId]);
}

const batch = 5_000;

/** Deletes what is older than a day, in batches. */
export async function forgetKeyDays({ manager }: Context, before: string): Promise<void> {
  await untilFew(batch, () =>
    manager.execute(
      `DELETE FROM accounts.key_days WHERE (key_id, day) IN
         (SELECT key_id, day FROM accounts.key_days WHERE day < $1 LIMIT ${batch})`,
      [before],
    ),
  );
}

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
