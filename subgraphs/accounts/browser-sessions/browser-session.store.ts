import type { Pool } from 'pg';
import type { OwnerKind, SessionOwner } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { accountOfOperator } from '../operators/operator.store.js';
import type { SessionRow } from '../sessions/session.store.js';

export interface KnownBrowserSession {
  readonly id: string;
  readonly kind: OwnerKind;
  /** Id of the account, of the operator, or of the trading credential. */
  readonly ownerId: string;
  readonly createdAt: Date;
  /** Delayed by a minute or a little more. */
  readonly lastSeenAt: Date;
  readonly idleSeconds: number;
  readonly expiresAt: Date;
  readonly secondFactorAt: Date | null;
  readonly provedAt: Date;
  readonly enrolled: boolean;
  readonly confirmed: boolean;
  /** For an operator: the key that opened the session, its issuer, the account of the same person, the key's end, and the roles. */
  readonly operatorKeyId: string | null;
  readonly keyIssuedBy: string | null;
  readonly accountId: string | null;
  readonly keyExpiresAt: Date | null;
  readonly roles: readonly string[] | null;
  /** For an account or operator. */
  readonly email: string | null;
  readonly name: string | null;
}

const select = `
  SELECT s.id, CASE WHEN s.account_id IS NOT NULL THEN 'ACCOUNT' WHEN s.operator_id IS NOT NULL THEN 'OPERATOR' ELSE 'TRADER' END AS kind,
    s.owner_id AS "ownerId", s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt", s.idle_seconds AS "idleSeconds",
    s.expires_at AS "expiresAt", s.second_factor_at AS "secondFactorAt", s.proved_at AS "provedAt",
    EXISTS (SELECT FROM accounts.passkeys WHERE owner_id = s.owner_id)
      OR EXISTS (SELECT FROM accounts.totp_secrets WHERE owner_id = s.owner_id AND confirmed_at IS NOT NULL) AS enrolled,
    a.confirmed_at IS NOT NULL AS confirmed, k.id AS "operatorKeyId", k.issued_by AS "keyIssuedBy", k.expires_at AS "keyExpiresAt", o.roles,
    ${accountOfOperator} AS "accountId", coalesce(a.email, o.email) AS email, coalesce(a.name, o.name) AS name
  FROM accounts.sessions AS s
  LEFT JOIN accounts.accounts AS a ON a.id = s.account_id
  LEFT JOIN accounts.operator_keys AS k ON k.id = s.operator_key_id
  LEFT JOIN accounts.operators AS o ON o.id = s.operator_id`;
const works = 's.ended_at IS NULL AND a.disabled_at IS NULL AND k.revoked_at IS NULL AND o.revoked_at IS NULL';

/** Returns the session of a cookie, by its hash, unless it was ended, or its owner's account or key was. The caller must check whether its times have passed. */
export async function readByCookie(pool: Pool, hash: Buffer): Promise<KnownBrowserSession | undefined> {
  const { rows } = await pool.query<KnownBrowserSession>(`${select} WHERE s.cookie_hash = $1 AND ${works}`, [hash]);
  return rows[0];
}

/** Returns the session of a browser with an id, in the same way. */
export function findBrowserSession({ manager }: Context, id: string): Promise<KnownBrowserSession | undefined> {
  return manager.row(`${select} WHERE s.id = $1 AND s.cookie_hash IS NOT NULL AND ${works}`, [id]);
}

export interface NewBrowserSession extends Omit<SessionRow, 'browser'> {
  readonly owner: SessionOwner;
  readonly operatorKeyId: string | null;
  readonly cookieHash: Buffer;
  readonly idleSeconds: number;
  readonly secondFactorAt: Date | null;
  readonly provedAt: Date;
}

export async function addBrowserSession({ manager }: Context, row: NewBrowserSession): Promise<void> {
  const of = (kind: OwnerKind) => (row.owner.kind === kind ? row.owner.id : null);
  await manager.execute(
    `INSERT INTO accounts.sessions (id, account_id, operator_id, operator_key_id, trading_credential_id, cookie_hash, network,
       user_agent, created_at, last_seen_at, expires_at, idle_seconds, second_factor_at, proved_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13)`,
    [
      row.id,
      of('ACCOUNT'),
      of('OPERATOR'),
      row.operatorKeyId,
      of('TRADER'),
      row.cookieHash,
      row.network,
      row.userAgent,
      row.createdAt,
      row.expiresAt,
      row.idleSeconds,
      row.secondFactorAt,
      row.provedAt,
    ],
  );
}

/** Locks the session of a cookie until the end of the transaction; returns its id, unless it has ended or got another cookie. */
export function lockByCookie({ manager, clock }: Context, hash: Buffer): Promise<string | undefined> {
  return manager.value(
    `SELECT id FROM accounts.sessions WHERE cookie_hash = $1 AND ended_at IS NULL AND expires_at > $2
       AND last_seen_at + idle_seconds * interval '1 second' > $2 FOR UPDATE`,
    [hash, clock.now()],
  );
}

/** Gives a session another cookie: the old one is worthless from the commit on. */
export async function renewCookie(
  { manager, clock }: Context,
  id: string,
  { hash, secondFactor }: { readonly hash: Buffer; readonly secondFactor: boolean },
): Promise<void> {
  await manager.execute(
    `UPDATE accounts.sessions SET cookie_hash = $2, proved_at = $3, last_seen_at = $3,
       second_factor_at = CASE WHEN $4 THEN coalesce(second_factor_at, $3) ELSE second_factor_at END
     WHERE id = $1`,
    [id, hash, clock.now(), secondFactor],
  );
}

/** Records that the owner of a session proved a factor that was just added. */
export async function noteProof({ manager, clock }: Context, id: string): Promise<void> {
  await manager.execute(
    `UPDATE accounts.sessions SET second_factor_at = coalesce(second_factor_at, $2), proved_at = $2 WHERE id = $1`,
    [id, clock.now()],
  );
}

/** Ends the session of a cookie, in whose place the browser gets another one; returns its id. */
export function endByCookie({ manager, clock }: Context, hash: Buffer): Promise<string | undefined> {
  return manager.value(
    `UPDATE accounts.sessions SET ended_at = $2, end_reason = 'DISPLACED' WHERE cookie_hash = $1 AND ended_at IS NULL RETURNING id`,
    [hash, clock.now()],
  );
}
