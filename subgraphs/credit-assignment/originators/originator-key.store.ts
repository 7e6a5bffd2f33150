import type { Pool } from 'pg';
import type { Context } from '../../../shared/context.js';
import { groupBy } from '../../../shared/group-by.js';
import { maxLiveKeys } from './originator.js';
import type { PublicKey } from './public-key.js';

/** A key of a client, as lists show it. */
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

/** The keys of each client: those that are not revoked first, then the newest; at most 50 of one. */
export async function keysOf(
  { manager }: Context,
  originatorIds: readonly string[],
): Promise<readonly OriginatorKeyRow[][]> {
  const rows: OriginatorKeyRow[] = await manager.query(
    `SELECT k.* FROM unnest($1::uuid[]) AS o (id) CROSS JOIN LATERAL (
       SELECT ${columns} FROM credit_assignment.originator_keys WHERE originator_id = o.id
       ORDER BY revoked_at DESC NULLS FIRST, created_at DESC, id DESC LIMIT 50) AS k`,
    [originatorIds],
  );
  const byOriginator = groupBy(rows, ({ originatorId }) => originatorId);
  return originatorIds.map((id) => byOriginator.get(id) ?? []);
}

/** Adds a key, unless somebody has it; then undefined. */
export async function insertKey(
  { manager, clock }: Context,
  id: string,
  originatorId: string,
  { spki, fingerprint, bits }: PublicKey,
): Promise<OriginatorKeyRow | undefined> {
  const [row]: OriginatorKeyRow[] = await manager.query(
    `INSERT INTO credit_assignment.originator_keys (id, originator_id, spki, fingerprint, bits, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (fingerprint) DO NOTHING RETURNING ${columns}`,
    [id, originatorId, spki, fingerprint, bits, clock.now()],
  );
  return row;
}

/** The key with a fingerprint, whoever has it. */
export async function findKey({ manager }: Context, { fingerprint }: PublicKey): Promise<OriginatorKeyRow | undefined> {
  const [row]: OriginatorKeyRow[] = await manager.query(
    `SELECT ${columns} FROM credit_assignment.originator_keys WHERE fingerprint = $1`,
    [fingerprint],
  );
  return row;
}

/** How many keys of a client are not revoked. */
export async function countLiveKeys({ manager }: Context, originatorId: string): Promise<number> {
  const [row]: { count: number }[] = await manager.query(
    `SELECT count(*)::integer AS count FROM credit_assignment.originator_keys
     WHERE originator_id = $1 AND revoked_at IS NULL`,
    [originatorId],
  );
  return row?.count ?? 0;
}

/** Revokes a key; the first moment stays. Answers whose it is, or undefined when there is none. */
export async function revokeKey({ manager, clock }: Context, id: string): Promise<string | undefined> {
  const [[row]] = await manager.query<[{ originatorId: string }[], number]>(
    `UPDATE credit_assignment.originator_keys SET revoked_at = coalesce(revoked_at, $2)
     WHERE id = $1 RETURNING originator_id AS "originatorId"`,
    [id, clock.now()],
  );
  return row?.originatorId;
}

/** What decides whether a signed request is let in: a key of a client that is active. */
export interface SigningKeyRow {
  readonly id: string;
  readonly spki: Buffer;
  readonly rateLimit: number | null;
}

/** The keys by which a client may sign at the moment, the newest first; none for a client that is suspended or unknown. */
export async function readSigningKeys(pool: Pool, originatorId: string): Promise<readonly SigningKeyRow[]> {
  const { rows } = await pool.query<SigningKeyRow>({
    name: 'credit-assignment.signing-keys',
    text: `SELECT k.id, k.spki, o.rate_limit AS "rateLimit"
           FROM credit_assignment.originators o
           JOIN credit_assignment.originator_keys k ON k.originator_id = o.id AND k.revoked_at IS NULL
           WHERE o.id = $1 AND o.status = 'ACTIVE' ORDER BY k.created_at DESC, k.id DESC LIMIT ${maxLiveKeys}`,
    values: [originatorId],
  });
  return rows;
}
