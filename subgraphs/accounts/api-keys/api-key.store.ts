import type { Pool } from 'pg';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { untilFew } from '../../../shared/kernel/turns.js';
import { keyTables, type DeveloperScope, type KeyTable } from './key-kind.js';

export type NoticeDays = 30 | 10 | 1;

export interface ExpiringKey {
  readonly id: string;
  readonly table: KeyTable;
  readonly prefix: string;
  readonly expiresAt: Date;
  /** The shortest of the periods in which it expires. */
  readonly noticeDays: NoticeDays;
}

// A key that was rotated is left out: the owner chose its end.
const due = (table: KeyTable) => `
  SELECT key.id, '${table}' AS "table", account_id, prefix, expires_at AS "expiresAt", notice_days AS "noticeDays"
  FROM accounts.${table} AS key, LATERAL (SELECT CASE
    WHEN expires_at <= $1::timestamptz + interval '1 day' THEN 1
    WHEN expires_at <= $1::timestamptz + interval '10 days' THEN 10 ELSE 30 END AS notice_days) AS notice
  WHERE revoked_at IS NULL AND replaced_by IS NULL
    AND expires_at > $1 AND expires_at <= $1::timestamptz + interval '30 days'
    AND (expiry_notice_days IS NULL OR notice_days < expiry_notice_days)`;

/** Returns accounts that have keys to be notified about, by id after a given one; disabled ones are left out. */
export function listExpiringOwners({ manager, clock }: Context, after: string, take: number): Promise<string[]> {
  return manager.values(
    `SELECT DISTINCT account.id FROM accounts.accounts AS account
     JOIN (${due('api_keys')} UNION ALL ${due('developer_keys')}) AS key ON key.account_id = account.id
     WHERE account.id > $2 AND disabled_at IS NULL AND confirmed_at IS NOT NULL ORDER BY account.id LIMIT $3`,
    [clock.now(), after, take],
  );
}

export function listExpiringKeys({ manager, clock }: Context, accountId: string): Promise<ExpiringKey[]> {
  return manager.rows(
    `SELECT id, "table", prefix, "expiresAt", "noticeDays" FROM (${due('api_keys')} UNION ALL ${due('developer_keys')}) AS key
     WHERE account_id = $2 ORDER BY "expiresAt", id`,
    [clock.now(), accountId],
  );
}

export async function markNotified({ manager }: Context, keys: readonly ExpiringKey[]): Promise<void> {
  const marked = (table: KeyTable) => `UPDATE accounts.${table} AS key SET expiry_notice_days = notice_days
    FROM unnest($1::uuid[], $2::integer[]) AS notified(id, notice_days) WHERE key.id = notified.id`;
  await manager.execute(`WITH api AS (${marked('api_keys')}) ${marked('developer_keys')}`, [
    keys.map(({ id }) => id),
    keys.map(({ noticeDays }) => noticeDays),
  ]);
}

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

/** Runs one statement, which locks the keys against deletion meanwhile: rows of a key that is being deleted are either deleted with it, or not written. @param uses by `dayOfKey` */
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

/** Filters key ids of both kinds to the keys of an account; returns each with its own limit. */
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

/** A key of an account, of either kind. The key itself is shown once and not stored. */
export interface KeyRow {
  readonly id: string;
  readonly accountId: string;
  /** `svcpub_<prefix>` or `svc_dev_<prefix>`, unique. */
  readonly prefix: string;
  /** SHA-256 of the whole key. */
  readonly secretHash: Buffer;
  readonly name: string;
  /** Empty for an API key. */
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

export type ListedKey = Omit<KeyRow, 'secretHash' | 'accountId'>;

const scopesOf = (table: KeyTable) => (table === 'developer_keys' ? 'scopes' : `'{}'::text[] AS scopes`);

const listed = (table: KeyTable) => `
  SELECT id, prefix, name, ${scopesOf(table)}, rate_limit AS "rateLimit",
    request_count::float8 AS "requestCount", created_at AS "createdAt", expires_at AS "expiresAt",
    last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", replaced_by AS "replacedBy"
  FROM accounts.${table} WHERE account_id = $1`;

/** Returns the keys of one kind of an account: first those that are not revoked, newest first. */
export function listKeys(
  { manager }: Context,
  table: KeyTable,
  accountId: string,
  take = maxListedKeys,
): Promise<ListedKey[]> {
  return manager.rows(`${listed(table)} ORDER BY revoked_at DESC NULLS FIRST, created_at DESC, id DESC LIMIT $2`, [
    accountId,
    take,
  ]);
}

/** Adds a key, unless one with its prefix exists. */
export async function addKey(
  { manager }: Context,
  table: KeyTable,
  key: Omit<KeyRow, 'requestCount' | 'lastUsedAt' | 'revokedAt' | 'replacedBy'>,
): Promise<void> {
  const { id, accountId, prefix, secretHash, name, rateLimit, createdAt, expiresAt } = key;
  const [column, value, scopes] = table === 'developer_keys' ? [', scopes', ', $9', [key.scopes]] : ['', '', []];
  await manager.execute(
    `INSERT INTO accounts.${table}
       (id, account_id, prefix, secret_hash, name, rate_limit, created_at, expires_at${column})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8${value}) ON CONFLICT (prefix) DO NOTHING`,
    [id, accountId, prefix, secretHash, name, rateLimit, createdAt, expiresAt, ...scopes],
  );
}

/** The fields that decide whether a key authenticates, as whom, and for what. */
export type KnownKey = Pick<
  KeyRow,
  'id' | 'accountId' | 'secretHash' | 'scopes' | 'rateLimit' | 'expiresAt' | 'revokedAt'
>;

/** Returns the key with a prefix, even if revoked or expired, unless its account is disabled. */
export async function readKey(pool: Pool, table: KeyTable, prefix: string): Promise<KnownKey | undefined> {
  const { rows } = await pool.query<KnownKey>(
    `SELECT key.id, account_id AS "accountId", secret_hash AS "secretHash", ${scopesOf(table)},
       rate_limit AS "rateLimit", expires_at AS "expiresAt", revoked_at AS "revokedAt"
     FROM accounts.${table} AS key JOIN accounts.accounts AS account ON account.id = account_id
     WHERE prefix = $1 AND disabled_at IS NULL`,
    [prefix],
  );
  return rows[0];
}

export function lockKey(
  { manager }: Context,
  table: KeyTable,
  accountId: string,
  id: string,
): Promise<ListedKey | undefined> {
  return manager.row(`${listed(table)} AND id = $2 FOR NO KEY UPDATE`, [accountId, id]);
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

export async function replaceKey(
  { manager }: Context,
  table: KeyTable,
  { id, replacedBy, expiresAt, revokedAt }: Pick<KeyRow, 'id' | 'replacedBy' | 'expiresAt' | 'revokedAt'>,
): Promise<void> {
  await manager.execute(
    `UPDATE accounts.${table} SET replaced_by = $2, expires_at = $3, revoked_at = $4 WHERE id = $1`,
    [id, replacedBy, expiresAt, revokedAt],
  );
}
