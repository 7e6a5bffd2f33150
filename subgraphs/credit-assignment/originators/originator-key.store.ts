import type { Pool } from 'pg';
import type { Context } from '../../../shared/kernel/context.js';
import { groupsOf } from '../../../shared/kernel/group-by.js';
import { maxLiveKeys } from './originator.js';
import type { PublicKey } from './public-key.js';

export interface OriginatorKeyRow {
  readonly id: string;
  readonly originatorId: string;
  readonly fingerprint: Buffer;
  readonly bits: number;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

const columns =
  'id, originator_id AS "originatorId", fingerprint, bits, created_at AS "createdAt", revoked_at AS "revokedAt"';

/** Lists the keys of each client: live keys first, then the newest; at most 50 per client. */
export async function keysOf(
  { manager }: Context,
  originatorIds: readonly string[],
): Promise<readonly OriginatorKeyRow[][]> {
  const rows = await manager.rows<OriginatorKeyRow>(
    `SELECT k.* FROM unnest($1::uuid[]) AS o (id) CROSS JOIN LATERAL (
       SELECT ${columns} FROM credit_assignment.originator_keys WHERE originator_id = o.id
       ORDER BY revoked_at DESC NULLS FIRST, created_at DESC, id DESC LIMIT 50) AS k`,
    [originatorIds],
  );
  return groupsOf(originatorIds, rows, ({ originatorId }) => originatorId);
}

/** Inserts a key; returns undefined if anyone has it already. */
export function insertKey(
  { manager, clock }: Context,
  id: string,
  originatorId: string,
  { spki, fingerprint, bits }: PublicKey,
): Promise<OriginatorKeyRow | undefined> {
  return manager.row(
    `INSERT INTO credit_assignment.originator_keys (id, originator_id, spki, fingerprint, bits, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (fingerprint) DO NOTHING RETURNING ${columns}`,
    [id, originatorId, spki, fingerprint, bits, clock.now()],
  );
}

/** Finds the key with a fingerprint, whichever client has it. */
export function findKey({ manager }: Context, { fingerprint }: PublicKey): Promise<OriginatorKeyRow | undefined> {
  return manager.row(`SELECT ${columns} FROM credit_assignment.originator_keys WHERE fingerprint = $1`, [fingerprint]);
}

export function findKeyById({ manager }: Context, id: string): Promise<OriginatorKeyRow | undefined> {
  return manager.row(`SELECT ${columns} FROM credit_assignment.originator_keys WHERE id = $1`, [id]);
}

export function countLiveKeys({ manager }: Context, originatorId: string): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::integer AS count FROM credit_assignment.originator_keys
     WHERE originator_id = $1 AND revoked_at IS NULL`,
    [originatorId],
  );
}

/** Revokes a key; a repetition keeps the first revocation time. Returns the id of the client; undefined if there is no such key. */
export function revokeKey({ manager, clock }: Context, id: string): Promise<string | undefined> {
  return manager.value(
    `UPDATE credit_assignment.originator_keys SET revoked_at = coalesce(revoked_at, $2)
     WHERE id = $1 RETURNING originator_id AS "originatorId"`,
    [id, clock.now()],
  );
}

/** A key of an active client: the row that decides whether a signed request is accepted. */
export interface SigningKeyRow {
  readonly id: string;
  readonly spki: Buffer;
  readonly rateLimit: number | null;
}

/** Reads the keys with which a client may sign now, newest first; none for a client that is suspended or unknown. */
export async function readSigningKeys(pool: Pool, originatorId: string): Promise<readonly SigningKeyRow[]> {
  const { rows } = await pool.query<SigningKeyRow>(
    `SELECT k.id, k.spki, o.rate_limit AS "rateLimit"
     FROM credit_assignment.originators o
     JOIN credit_assignment.originator_keys k ON k.originator_id = o.id AND k.revoked_at IS NULL
     WHERE o.id = $1 AND o.status = 'ACTIVE' ORDER BY k.created_at DESC, k.id DESC LIMIT ${maxLiveKeys}`,
    [originatorId],
  );
  return rows;
}

export async function hasLinkedOriginator(pool: Pool, accountId: string): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM credit_assignment.originators WHERE account_id = $1 LIMIT 1', [
    accountId,
  ]);
  return rowCount === 1;
}

export interface PermitRow {
  readonly patrimonyId: string;
  readonly ticker: string;
  readonly permittedAt: Date;
}

/** Maximum number of permits that are read of one originator. */
const maxPermits = 500;

interface Permit {
  readonly originatorId: string;
  readonly patrimonyId: string;
}

/** Adds a permit of an originator for an estate; an existing one stays as it is. */
export async function addPermit({ manager, clock }: Context, { originatorId, patrimonyId }: Permit): Promise<void> {
  await manager.execute(
    `INSERT INTO credit_assignment.originator_permits (originator_id, patrimony_id, permitted_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    [originatorId, patrimonyId, clock.now()],
  );
}

export async function deletePermit({ manager }: Context, { originatorId, patrimonyId }: Permit): Promise<boolean> {
  const deleted = await manager.execute(
    'DELETE FROM credit_assignment.originator_permits WHERE originator_id = $1 AND patrimony_id = $2',
    [originatorId, patrimonyId],
  );
  return deleted > 0;
}

/** Loads the permits of the given originators, ordered by the tickers of their estates, at most 500 each. */
export async function permitsOf(
  { manager }: Context,
  originatorIds: readonly string[],
): Promise<(readonly PermitRow[])[]> {
  const rows = await manager.rows<PermitRow & { readonly originatorId: string }>(
    `SELECT permit.*
     FROM unnest($1::uuid[]) AS originator (id)
     CROSS JOIN LATERAL (
       SELECT originator_id AS "originatorId", patrimony_id AS "patrimonyId", estate.ticker, permitted_at AS "permittedAt"
       FROM credit_assignment.originator_permits JOIN credit_assignment.estates AS estate ON estate.id = patrimony_id
       WHERE originator_id = originator.id ORDER BY lower(estate.ticker), patrimony_id LIMIT $2
     ) AS permit`,
    [[...new Set(originatorIds)], maxPermits],
  );
  return groupsOf(originatorIds, rows, ({ originatorId }) => originatorId);
}
