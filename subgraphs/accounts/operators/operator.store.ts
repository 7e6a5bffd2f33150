import type { Shape } from '../../../shared/graphql/shape.js';
import type { OperatorKey, OperatorShape } from './operator.type.js';
import type { Pool } from 'pg';
import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import type { Role } from '../../../shared/graphql/roles.js';
import type { KeyTable } from '../api-keys/key-kind.js';

export interface OperatorRow extends OperatorShape {
  readonly roles: readonly Role[];
}

/** An operator key. The key itself is shown once and not stored. */
export interface OperatorKeyRow extends Shape<OperatorKey> {
  readonly operatorId: string;
}

const operatorColumns =
  'id, email, name, roles, mail_language AS "mailLanguage", created_at AS "createdAt", revoked_at AS "revokedAt"';
const keyColumns = `id, operator_id AS "operatorId", prefix, created_at AS "createdAt", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", link_expires_at AS "linkExpiresAt"`;

export function listOperators({ manager }: Context): Promise<OperatorRow[]> {
  return manager.rows(
    `SELECT ${operatorColumns} FROM accounts.operators ORDER BY revoked_at DESC NULLS FIRST, created_at DESC, id DESC LIMIT 500`,
  );
}

/** Returns who can administer, but for some; at most 100. */
export function listAdministrators({ manager }: Context, but: readonly string[]): Promise<OperatorRow[]> {
  return manager.rows(
    `SELECT ${operatorColumns} FROM accounts.operators
     WHERE revoked_at IS NULL AND 'administer' = ANY (roles) AND id <> ALL ($1::uuid[]) ORDER BY id LIMIT 100`,
    [but],
  );
}

/** Returns the keys of operators, in the order of the operators: first those that are not revoked; at most 50 of each. */
export async function keysOfOperators({ manager }: Context, ids: readonly string[]): Promise<OperatorKeyRow[][]> {
  const rows = await manager.rows<OperatorKeyRow>(
    `SELECT key.* FROM unnest($1::uuid[]) AS wanted, LATERAL (
       SELECT ${keyColumns} FROM accounts.operator_keys WHERE operator_id = wanted
       ORDER BY revoked_at DESC NULLS FIRST, created_at DESC, id DESC LIMIT 50) AS key`,
    [ids],
  );
  return groupsOf(ids, rows, ({ operatorId }) => operatorId);
}

export function lockOperator({ manager }: Context, id: string): Promise<OperatorRow | undefined> {
  return manager.row(`SELECT ${operatorColumns} FROM accounts.operators WHERE id = $1 FOR UPDATE`, [id]);
}

/** Returns the operator with an e-mail, ignoring case. */
export function findOperator({ manager }: Context, email: string): Promise<string | undefined> {
  return manager.value('SELECT id FROM accounts.operators WHERE lower(email) = lower($1)', [email]);
}

/** Adds an operator, or one who was revoked again; returns undefined and adds nothing if one that is not revoked has the e-mail. */
export function insertOperator({ manager }: Context, row: OperatorRow): Promise<OperatorRow | undefined> {
  return manager.row(
    `INSERT INTO accounts.operators (id, email, name, roles, created_at, mail_language) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (lower(email)) DO UPDATE SET name = excluded.name, roles = excluded.roles, mail_language = excluded.mail_language,
       revoked_at = NULL WHERE operators.revoked_at IS NOT NULL
     RETURNING ${operatorColumns}`,
    [row.id, row.email, row.name, row.roles, row.createdAt, row.mailLanguage],
  );
}

export async function setRoles({ manager }: Context, id: string, roles: readonly Role[]): Promise<void> {
  await manager.execute('UPDATE accounts.operators SET roles = $2 WHERE id = $1', [id, roles]);
}

export async function setOperatorRevoked({ manager }: Context, id: string, at: Date): Promise<string[]> {
  await manager.execute('UPDATE accounts.operators SET revoked_at = $2 WHERE id = $1', [id, at]);
  return manager.values(
    `UPDATE accounts.operator_keys SET revoked_at = $2 WHERE operator_id = $1 AND revoked_at IS NULL RETURNING prefix`,
    [id, at],
  );
}

export function countWorkingKeys({ manager, clock }: Context, operatorId: string): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::integer AS count FROM accounts.operator_keys
     WHERE operator_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND coalesce(link_expires_at > $2, true)`,
    [operatorId, clock.now()],
  );
}

export interface NewOperatorKey extends Pick<
  OperatorKeyRow,
  'id' | 'operatorId' | 'prefix' | 'createdAt' | 'expiresAt' | 'linkExpiresAt'
> {
  readonly secretHash: Buffer;
  readonly issuedBy: string | null;
  readonly linkHash: Buffer | null;
}

export async function insertKey({ manager }: Context, key: NewOperatorKey): Promise<boolean> {
  return manager.changes(
    `INSERT INTO accounts.operator_keys (id, operator_id, prefix, secret_hash, created_at, expires_at, issued_by, link_hash, link_expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (prefix) DO NOTHING`,
    [
      ...[key.id, key.operatorId, key.prefix, key.secretHash, key.createdAt, key.expiresAt],
      ...[key.issuedBy, key.linkHash, key.linkExpiresAt],
    ],
  );
}

/** Returns the key that a link leads to, locked until the end of the transaction; undefined for an invalid link. */
export function lockLinkedKey({ manager, clock }: Context, linkHash: Buffer): Promise<OperatorKeyRow | undefined> {
  return manager.row(
    `SELECT ${keyColumns} FROM accounts.operator_keys
     WHERE link_hash = $1 AND link_expires_at > $2 AND expires_at > $2 AND revoked_at IS NULL FOR UPDATE`,
    [linkHash, clock.now()],
  );
}

/** Gives a key the secret that its owner has fetched, and uses up its link. */
export async function setFetched({ manager }: Context, id: string, secretHash: Buffer): Promise<void> {
  await manager.execute(
    'UPDATE accounts.operator_keys SET secret_hash = $2, link_hash = NULL, link_expires_at = NULL WHERE id = $1',
    [id, secretHash],
  );
}

/** Returns a key, locked until the end of the transaction. */
export function lockKey({ manager }: Context, id: string): Promise<OperatorKeyRow | undefined> {
  return manager.row(`SELECT ${keyColumns} FROM accounts.operator_keys WHERE id = $1 FOR UPDATE`, [id]);
}

export async function setKeyRevoked({ manager }: Context, id: string, at: Date): Promise<void> {
  await manager.execute('UPDATE accounts.operator_keys SET revoked_at = $2 WHERE id = $1', [id, at]);
}

/** Returns whether there are operators, and whether one of them can administer, which requires a working key. */
export function readOperatorStanding({ manager, clock }: Context): Promise<{ any: boolean; administered: boolean }> {
  return manager.one(
    `SELECT EXISTS (SELECT FROM accounts.operators) AS "any", EXISTS (
       SELECT FROM accounts.operators AS operator JOIN accounts.operator_keys AS key ON key.operator_id = operator.id
       WHERE operator.revoked_at IS NULL AND 'administer' = ANY (operator.roles) AND key.revoked_at IS NULL
         AND key.expires_at > $1 AND key.link_hash IS NULL) AS administered`,
    [clock.now()],
  );
}

export interface KnownOperatorKey {
  readonly id: string;
  readonly operatorId: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly secretHash: Buffer;
  readonly expiresAt: Date;
  /** Time of its revocation, by itself or with its operator. */
  readonly revokedAt: Date | null;
  readonly issuedBy: string | null;
  readonly accountId: string | null;
}

/** SQL: the confirmed account with the e-mail of the operator `o`. */
export const accountOfOperator =
  '(SELECT id FROM accounts.accounts WHERE lower(email) = lower(o.email) AND confirmed_at IS NOT NULL)';

/** Returns the key with a prefix, even if revoked or expired. */
export async function readOperatorKey(pool: Pool, prefix: string): Promise<KnownOperatorKey | undefined> {
  const { rows } = await pool.query<KnownOperatorKey>(
    `SELECT key.id, o.id AS "operatorId", o.email, o.roles, key.secret_hash AS "secretHash", key.expires_at AS "expiresAt",
       coalesce(key.revoked_at, o.revoked_at) AS "revokedAt", key.issued_by AS "issuedBy", ${accountOfOperator} AS "accountId"
     FROM accounts.operator_keys AS key JOIN accounts.operators AS o ON o.id = key.operator_id
     WHERE key.prefix = $1`,
    [prefix],
  );
  return rows[0];
}

export interface LimitedKeyRow {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  /** Its own requests per minute; null to use the configuration. */
  readonly rateLimit: number | null;
}

export function lockKeyLimit({ manager }: Context, keys: KeyTable, prefix: string): Promise<LimitedKeyRow | undefined> {
  return manager.row(
    `SELECT id, prefix, name, rate_limit AS "rateLimit" FROM accounts.${keys} WHERE prefix = $1 FOR NO KEY UPDATE`,
    [prefix],
  );
}

export async function setKeyLimit(
  { manager }: Context,
  table: KeyTable,
  id: string,
  rateLimit: number | null,
): Promise<void> {
  await manager.execute(`UPDATE accounts.${table} SET rate_limit = $2 WHERE id = $1`, [id, rateLimit]);
}
