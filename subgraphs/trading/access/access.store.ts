import type { Pool } from 'pg';
import type { Context } from '../../../shared/kernel/context.js';
import { untilFew } from '../../../shared/kernel/turns.js';
import { refreshTokenSeconds } from './access-tokens.js';
import type { Scope } from './credential.js';
import { arraysOf, valuesOf, groupsOf } from '../../../shared/kernel/group-by.js';
import type { Manager } from '../../../shared/database/manager.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { CompanyStatus, Terms } from './company.js';

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

/** @throws {ApiError} NOT_FOUND */
export async function lockCredential({ manager }: Context, id: string): Promise<CredentialRow> {
  const text = `SELECT ${columns} FROM trading.credentials WHERE id = $1 FOR NO KEY UPDATE`;
  const row = isUuid(id) ? await manager.row<CredentialRow>(text, [id]) : undefined;
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such credential' });
  return row;
}

export function saveCredential({ manager }: Context, row: CredentialRow): Promise<CredentialRow> {
  return manager.one(
    `UPDATE trading.credentials SET scopes = $2, allowed_networks = ${networks('$3')}, revoked_at = $4
     WHERE id = $1 RETURNING ${columns}`,
    [row.id, row.scopes, row.allowedNetworks, row.revokedAt],
  );
}

export interface KnownCredential extends CredentialRow {
  readonly secretHash: Buffer;
}

/** Finds the credential with a public key, even a revoked or expired one. */
export function findCredential({ manager }: Context, apiKey: string): Promise<KnownCredential | undefined> {
  return manager.row(`SELECT ${columns}, secret_hash AS "secretHash" FROM trading.credentials WHERE api_key = $1`, [
    apiKey,
  ]);
}

export async function noteUse({ manager, clock }: Context, id: string): Promise<void> {
  await manager.execute(
    'UPDATE trading.credentials SET last_used_at = greatest(last_used_at, $2::timestamptz) WHERE id = $1',
    [id, clock.now()],
  );
}

export interface CompanyRow extends Terms {
  readonly id: string;
  readonly name: string;
  readonly accountId: string | null;
  readonly rateLimit: number | null;
  readonly status: CompanyStatus;
  readonly createdAt: Date;
}

const select = `
  SELECT c.id, c.name, c.account_id AS "accountId", c.rate_limit AS "rateLimit", c.status, c.created_at AS "createdAt",
    trim_scale(t.maker_fee)::text AS "makerFee", trim_scale(t.taker_fee)::text AS "takerFee",
    t.max_order_value AS "maxOrderValue", t.max_open_orders AS "maxOpenOrders", t.max_daily_volume AS "maxDailyVolume",
    t.profile_max_open_orders AS "profileMaxOpenOrders", t.profile_max_daily_volume AS "profileMaxDailyVolume",
    t.max_quoted_value AS "maxQuotedValue",
    (SELECT jsonb_agg(jsonb_build_object('aboveBrl', trim_scale(above_brl)::text, 'percent', trim_scale(percent)::text) ORDER BY above_brl)
     FROM trading.spread_tiers AS tier WHERE tier.company_id = c.id) AS "spreadTiers"
  FROM trading.companies c JOIN trading.company_terms t ON t.company_id = c.id`;

export function listCompanies({ manager }: Context, limit: number): Promise<CompanyRow[]> {
  return manager.rows(`${select} ORDER BY c.id DESC LIMIT $1`, [limit]);
}

export async function findCompanyById({ manager }: Context, id: string): Promise<CompanyRow | undefined> {
  return isUuid(id) ? manager.row(`${select} WHERE c.id = $1`, [id]) : undefined;
}

/** Its trading does not wait for the lock. @throws {ApiError} NOT_FOUND */
export async function lockCompany({ manager }: Context, id: string): Promise<CompanyRow> {
  // The company is read once the lock is held: a read that waits for the lock would return the row as it was before.
  if (isUuid(id)) await manager.execute('SELECT FROM trading.companies WHERE id = $1 FOR NO KEY UPDATE', [id]);
  const row = isUuid(id) ? await manager.row<CompanyRow>(`${select} WHERE c.id = $1`, [id]) : undefined;
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such company' });
  return row;
}

export async function insertCompany({ manager }: Context, row: CompanyRow): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.companies (id, name, account_id, rate_limit, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [row.id, row.name, row.accountId, row.rateLimit, row.status, row.createdAt],
  );
  await manager.execute(
    `INSERT INTO trading.company_terms (company_id, maker_fee, taker_fee, max_order_value, max_open_orders,
       max_daily_volume, profile_max_open_orders, profile_max_daily_volume, max_quoted_value, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [row.id, ...termsOf(row), row.createdAt],
  );
  await insertTiers(manager, row);
}

export async function saveCompany({ manager, clock }: Context, row: CompanyRow): Promise<void> {
  await manager.execute(
    `UPDATE trading.companies SET name = $2, account_id = $3, rate_limit = $4, status = $5, updated_at = $6 WHERE id = $1`,
    [row.id, row.name, row.accountId, row.rateLimit, row.status, clock.now()],
  );
  await manager.execute(
    `UPDATE trading.company_terms SET maker_fee = $2, taker_fee = $3, max_order_value = $4, max_open_orders = $5,
       max_daily_volume = $6, profile_max_open_orders = $7, profile_max_daily_volume = $8, max_quoted_value = $9, updated_at = $10
     WHERE company_id = $1`,
    [row.id, ...termsOf(row), clock.now()],
  );
  await manager.execute('DELETE FROM trading.spread_tiers WHERE company_id = $1', [row.id]);
  await insertTiers(manager, row);
}

async function insertTiers(manager: Manager, { id, spreadTiers }: CompanyRow): Promise<void> {
  const tiers = spreadTiers ?? [];
  await manager.execute(
    `INSERT INTO trading.spread_tiers (company_id, above_brl, percent)
     SELECT $1, * FROM unnest($2::numeric[], $3::numeric[])`,
    [id, ...arraysOf(tiers, 'aboveBrl', 'percent')],
  );
}

export async function unlinkCompanies({ manager, clock }: Context, accountIds: readonly string[]): Promise<void> {
  await manager.execute('UPDATE trading.companies SET account_id = NULL, updated_at = $2 WHERE account_id = ANY ($1)', [
    accountIds,
    clock.now(),
  ]);
}

export function findCompany({ manager }: Context, accountId: string, name: string): Promise<string | undefined> {
  return manager.value('SELECT id FROM trading.companies WHERE account_id = $1 AND name = $2 ORDER BY id LIMIT 1', [
    accountId,
    name,
  ]);
}

function termsOf(row: Terms): unknown[] {
  return [
    ...valuesOf(row, 'makerFee', 'takerFee', 'maxOrderValue', 'maxOpenOrders', 'maxDailyVolume'),
    ...valuesOf(row, 'profileMaxOpenOrders', 'profileMaxDailyVolume', 'maxQuotedValue'),
  ];
}

const dayMs = 86_400_000;
const refreshTokenMs = refreshTokenSeconds * 1000;

/** Maximum number of live logins of a credential; a further one ends the one whose last refresh is the oldest. */
export const maxLiveFamilies = 100;

export async function insertFamily({ manager, clock }: Context, id: string, credentialId: string): Promise<void> {
  const now = clock.now();
  await manager.execute(
    'INSERT INTO trading.token_families (id, credential_id, created_at, expires_at) VALUES ($1, $2, $3, $4)',
    [id, credentialId, now, new Date(now.getTime() + refreshTokenMs)],
  );
}

/** Returns their ids. Skips a family that is being refreshed: its refresh has locked it and then waits for the credential, which is locked here. */
export function endExcessFamilies({ manager, clock }: Context, credentialId: string): Promise<string[]> {
  return manager.values(
    `WITH excess AS MATERIALIZED (
       SELECT id FROM trading.token_families WHERE credential_id = $1 AND ended_at IS NULL
       ORDER BY expires_at DESC, id DESC OFFSET ${maxLiveFamilies}),
     free AS MATERIALIZED (
       SELECT f.id FROM trading.token_families f JOIN excess USING (id) FOR NO KEY UPDATE OF f SKIP LOCKED)
     UPDATE trading.token_families f SET ended_at = $2 FROM free WHERE f.id = free.id RETURNING f.id`,
    [credentialId, clock.now()],
  );
}

/** Ends a family; a first end keeps its time. */
export async function endFamily({ manager, clock }: Context, id: string): Promise<void> {
  await manager.execute('UPDATE trading.token_families SET ended_at = coalesce(ended_at, $2) WHERE id = $1', [
    id,
    clock.now(),
  ]);
}

/** Adds a refresh token to a family, and extends the family's life to the token's. */
export async function insertRefreshToken({ manager, clock }: Context, familyId: string, hash: Buffer): Promise<void> {
  const now = clock.now();
  await manager.execute(
    `WITH lived AS (UPDATE trading.token_families SET expires_at = greatest(expires_at, $4) WHERE id = $2)
     INSERT INTO trading.refresh_tokens (token_hash, family_id, issued_at, expires_at) VALUES ($1, $2, $3, $4)`,
    [hash, familyId, now, new Date(now.getTime() + refreshTokenMs)],
  );
}

export interface RefreshTokenRow {
  readonly familyId: string;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly endedAt: Date | null;
  readonly credentialId: string;
  readonly companyId: string;
  readonly allowedNetworks: readonly string[] | null;
  readonly credentialExpiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Finds the refresh token with a hash. Locks its family until the transaction ends, so that refreshes in it run one after another. */
export async function lockRefreshToken({ manager }: Context, hash: Buffer): Promise<RefreshTokenRow | undefined> {
  await manager.execute(
    `SELECT FROM trading.token_families
     WHERE id = (SELECT family_id FROM trading.refresh_tokens WHERE token_hash = $1) FOR NO KEY UPDATE`,
    [hash],
  );
  // A separate statement, which sees the changes that the previous one waited for.
  return manager.row(
    `SELECT r.family_id AS "familyId", r.expires_at AS "expiresAt", r.used_at AS "usedAt", f.ended_at AS "endedAt",
       c.id AS "credentialId", c.company_id AS "companyId", c.allowed_networks::text[] AS "allowedNetworks",
       c.expires_at AS "credentialExpiresAt", c.revoked_at AS "revokedAt"
     FROM trading.refresh_tokens r
     JOIN trading.token_families f ON f.id = r.family_id
     JOIN trading.credentials c ON c.id = f.credential_id
     WHERE r.token_hash = $1`,
    [hash],
  );
}

export async function isOfFamily({ manager }: Context, familyId: string, hash: Buffer): Promise<boolean> {
  const found = await manager.value<boolean>(
    'SELECT true FROM trading.refresh_tokens WHERE token_hash = $1 AND family_id = $2',
    [hash, familyId],
  );
  return found === true;
}

export async function useRefreshToken({ manager, clock }: Context, hash: Buffer): Promise<void> {
  await manager.execute('UPDATE trading.refresh_tokens SET used_at = $2 WHERE token_hash = $1', [hash, clock.now()]);
}

/** How long expired tokens are kept, so that a late second use still ends the family. */
const tokensKeptMs = dayMs;
/** Longer than its tokens, which refer to it. */
const familiesKeptMs = 7 * dayMs;
const batch = 5_000;

export async function forgetEndedFamilies({ manager, clock }: Context, stopping?: AbortSignal): Promise<void> {
  const now = clock.now().getTime();
  const forget = (table: string, key: string, before: Date) =>
    untilFew(
      batch,
      () =>
        manager.execute(
          `DELETE FROM trading.${table} WHERE ${key} IN (
             SELECT ${key} FROM trading.${table} WHERE expires_at < $1 LIMIT ${batch})`,
          [before],
        ),
      stopping,
    );
  await forget('refresh_tokens', 'token_hash', new Date(now - tokensKeptMs));
  await forget('token_families', 'id', new Date(now - familiesKeptMs));
}

/** The row that decides whether an access token is valid, and for what. */
export interface LiveFamily {
  readonly credentialId: string;
  readonly companyId: string;
  readonly scopes: readonly Scope[];
  /** CIDR blocks; null for any network. */
  readonly allowedNetworks: readonly string[] | null;
  readonly expiresAt: Date | null;
  /** Requests per minute; null for the configured default. */
  readonly rateLimit: number | null;
}

/** Reads the family of tokens with an id, unless it has ended or its credential was revoked. */
export async function readFamily(pool: Pool, id: string): Promise<LiveFamily | undefined> {
  const { rows } = await pool.query<LiveFamily>(
    `SELECT c.id AS "credentialId", c.company_id AS "companyId", c.scopes,
       c.allowed_networks::text[] AS "allowedNetworks", c.expires_at AS "expiresAt", o.rate_limit AS "rateLimit"
     FROM trading.token_families f
     JOIN trading.credentials c ON c.id = f.credential_id
     JOIN trading.companies o ON o.id = c.company_id
     WHERE f.id = $1 AND f.ended_at IS NULL AND c.revoked_at IS NULL`,
    [id],
  );
  return rows[0];
}

/** Reads the credential with an id in the same form, unless it was revoked. */
export async function readLiveCredential(pool: Pool, id: string): Promise<LiveFamily | undefined> {
  const { rows } = await pool.query<LiveFamily>(
    `SELECT c.id AS "credentialId", c.company_id AS "companyId", c.scopes,
       c.allowed_networks::text[] AS "allowedNetworks", c.expires_at AS "expiresAt", o.rate_limit AS "rateLimit"
     FROM trading.credentials c JOIN trading.companies o ON o.id = c.company_id
     WHERE c.id = $1 AND c.revoked_at IS NULL`,
    [id],
  );
  return rows[0];
}
