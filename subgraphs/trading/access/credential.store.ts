import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { Scope } from './credential.js';

/** A credential of a company, without its secret. */
export interface CredentialRow {
  readonly id: string;
  readonly companyId: string;
  readonly apiKey: string;
  readonly scopes: readonly Scope[];
  /** CIDR blocks; null for any network. */
  readonly allowedNetworks: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** The time of the last login or refresh. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

const columns = `id, company_id AS "companyId", api_key AS "apiKey", scopes, allowed_networks::text[] AS "allowedNetworks",
  created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`;

/** SQL of networks as they are stored: without host bits, each once. */
const networks = (parameter: string) =>
  `(SELECT array_agg(DISTINCT network(n::inet)::cidr) FROM unnest(${parameter}::text[]) AS n)`;

/** Lists the credentials of each company: those not revoked first, then the newest; at most 50 per company. */
export async function credentialsOf(
  { manager }: Context,
  companyIds: readonly string[],
): Promise<readonly CredentialRow[][]> {
  const rows = await manager.rows<CredentialRow>(
    `SELECT k.* FROM unnest($1::uuid[]) AS o (id) CROSS JOIN LATERAL (
       SELECT ${columns} FROM trading.credentials WHERE company_id = o.id
       ORDER BY revoked_at DESC NULLS FIRST, created_at DESC, id DESC LIMIT 50) AS k`,
    [companyIds],
  );
  return groupsOf(companyIds, rows, ({ companyId }) => companyId);
}

/** Counts the credentials of a company that are neither revoked nor expired. */
export function countLiveCredentials({ manager, clock }: Context, companyId: string): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::integer AS count FROM trading.credentials
     WHERE company_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
    [companyId, clock.now()],
  );
}

export interface NewCredential extends Pick<
  CredentialRow,
  'id' | 'companyId' | 'apiKey' | 'scopes' | 'allowedNetworks' | 'createdAt' | 'expiresAt'
> {
  readonly secretHash: Buffer;
}

/** Inserts a credential; returns undefined if its key exists already. */
export function insertCredential({ manager }: Context, row: NewCredential): Promise<CredentialRow | undefined> {
  return manager.row(
    `INSERT INTO trading.credentials
       (id, company_id, api_key, secret_hash, scopes, allowed_networks, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, ${networks('$6')}, $7, $8)
     ON CONFLICT ON CONSTRAINT credentials_api_key DO NOTHING RETURNING ${columns}`,
    [row.id, row.companyId, row.apiKey, row.secretHash, row.scopes, row.allowedNetworks, row.createdAt, row.expiresAt],
  );
}

/**
 * Locks a credential until the transaction ends.
 * @throws {ApiError} NOT_FOUND
 */
export async function lockCredential({ manager }: Context, id: string): Promise<CredentialRow> {
  const text = `SELECT ${columns} FROM trading.credentials WHERE id = $1 FOR NO KEY UPDATE`;
  const row = isUuid(id) ? await manager.row<CredentialRow>(text, [id]) : undefined;
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such credential' });
  return row;
}

/** Writes the mutable fields of a credential, and returns the stored row. */
export function saveCredential({ manager }: Context, row: CredentialRow): Promise<CredentialRow> {
  return manager.one(
    `UPDATE trading.credentials SET scopes = $2, allowed_networks = ${networks('$3')}, revoked_at = $4
     WHERE id = $1 RETURNING ${columns}`,
    [row.id, row.scopes, row.allowedNetworks, row.revokedAt],
  );
}

/** A credential with the hash that decides whether a pair of key and secret logs in. */
export interface KnownCredential extends CredentialRow {
  readonly secretHash: Buffer;
}

/** Finds the credential with a public key, even a revoked or expired one. */
export function findCredential({ manager }: Context, apiKey: string): Promise<KnownCredential | undefined> {
  return manager.row(`SELECT ${columns}, secret_hash AS "secretHash" FROM trading.credentials WHERE api_key = $1`, [
    apiKey,
  ]);
}

/** Records that a credential was used for a login or a refresh. */
export async function noteUse({ manager, clock }: Context, id: string): Promise<void> {
  await manager.execute(
    'UPDATE trading.credentials SET last_used_at = greatest(last_used_at, $2::timestamptz) WHERE id = $1',
    [id, clock.now()],
  );
}
