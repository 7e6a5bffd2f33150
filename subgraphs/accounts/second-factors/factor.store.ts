import type { Passkey } from './second-factor.type.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { OwnerKind, SessionOwner } from '../../../shared/security/browser-session.js';
import { sha256 } from '../../../shared/security/crypto.js';

/** An authenticator application (TOTP): its secret and the last time step that was used. */
export interface TotpRow {
  readonly secret: Buffer;
  readonly createdAt: Date;
  readonly confirmedAt: Date | null;
  readonly lastStep: number;
  readonly lastUsedAt: Date | null;
}

/** Returns the authenticator application of an owner, confirmed or not. */
export function findTotp({ manager }: Context, ownerId: string): Promise<TotpRow | undefined> {
  return manager.row(
    `SELECT secret, created_at AS "createdAt", confirmed_at AS "confirmedAt", last_step::float8 AS "lastStep",
       last_used_at AS "lastUsedAt" FROM accounts.totp_secrets WHERE owner_id = $1`,
    [ownerId],
  );
}

/** Stores the secret of an application that is to be confirmed, in place of an unconfirmed one; returns false if there is a confirmed one. */
export function startTotp({ manager, clock }: Context, owner: SessionOwner, secret: Buffer): Promise<boolean> {
  return manager.changes(
    `INSERT INTO accounts.totp_secrets AS known (owner_id, owner_kind, secret, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (owner_id) DO UPDATE SET secret = $3, created_at = $4 WHERE known.confirmed_at IS NULL`,
    [owner.id, owner.kind, secret, clock.now()],
  );
}

/** Confirms an application by its first code; returns false if it is confirmed already. */
export function confirmTotpRow({ manager, clock }: Context, ownerId: string, step: number): Promise<boolean> {
  return manager.changes(
    `UPDATE accounts.totp_secrets SET confirmed_at = $3, last_step = $2, last_used_at = $3
     WHERE owner_id = $1 AND confirmed_at IS NULL`,
    [ownerId, step, clock.now()],
  );
}

/** Records the use of a code; returns false if it, or a later one, was used before. */
export function useTotpStep({ manager, clock }: Context, ownerId: string, step: number): Promise<boolean> {
  return manager.changes(
    `UPDATE accounts.totp_secrets SET last_step = $2, last_used_at = $3
     WHERE owner_id = $1 AND confirmed_at IS NOT NULL AND last_step < $2`,
    [ownerId, step, clock.now()],
  );
}

export function deleteTotp({ manager }: Context, ownerId: string): Promise<boolean> {
  return manager.changes('DELETE FROM accounts.totp_secrets WHERE owner_id = $1 AND confirmed_at IS NOT NULL', [
    ownerId,
  ]);
}

export async function replaceCodes({ manager, clock }: Context, ownerId: string, hashes: Buffer[]): Promise<void> {
  await manager.execute('DELETE FROM accounts.recovery_codes WHERE owner_id = $1', [ownerId]);
  await manager.execute(
    `INSERT INTO accounts.recovery_codes (owner_id, code_hash, created_at) SELECT $1, hash, $3 FROM unnest($2::bytea[]) AS hash`,
    [ownerId, hashes, clock.now()],
  );
}

/** Records the use of a recovery code; returns false if it is none of the owner's, or was used. */
export function useCode({ manager, clock }: Context, ownerId: string, hash: Buffer): Promise<boolean> {
  return manager.changes(
    'UPDATE accounts.recovery_codes SET used_at = $3 WHERE owner_id = $1 AND code_hash = $2 AND used_at IS NULL',
    [ownerId, hash, clock.now()],
  );
}

export interface HeldFactors {
  readonly passkeys: number;
  readonly totp: boolean;
  /** Recovery codes that were not used. */
  readonly codes: number;
}

export function readHeldFactors({ manager }: Context, ownerId: string): Promise<HeldFactors> {
  return manager.one(
    `SELECT (SELECT count(*)::integer FROM accounts.passkeys WHERE owner_id = $1) AS passkeys,
       EXISTS (SELECT FROM accounts.totp_secrets WHERE owner_id = $1 AND confirmed_at IS NOT NULL) AS totp,
       (SELECT count(*)::integer FROM accounts.recovery_codes WHERE owner_id = $1 AND used_at IS NULL) AS codes`,
    [ownerId],
  );
}

export function isEnrolled({ passkeys, totp }: HeldFactors): boolean {
  return passkeys > 0 || totp;
}

/** Serializes changes of the factors of an owner until the end of the transaction, on all instances. */
export async function lockFactors({ manager }: Context, ownerId: string): Promise<void> {
  await manager.execute(`SELECT pg_advisory_xact_lock(hashtextextended('accounts.factors ' || $1, 0))`, [ownerId]);
}

export async function removeFactorsOf({ manager }: Context, ownerIds: readonly string[]): Promise<void> {
  for (const table of ['passkeys', 'totp_secrets', 'recovery_codes'])
    await manager.execute(`DELETE FROM accounts.${table} WHERE owner_id = ANY ($1)`, [ownerIds]);
}

export function removeCodes({ manager }: Context, ownerId: string): Promise<number> {
  return manager.execute('DELETE FROM accounts.recovery_codes WHERE owner_id = $1', [ownerId]);
}

/** Returns the kind of owner that an id belongs to, by its factors and sessions; undefined if it has neither. */
export function findOwnerKind({ manager }: Context, id: string): Promise<OwnerKind | undefined> {
  return manager.value(
    `SELECT owner_kind FROM accounts.passkeys WHERE owner_id = $1
     UNION SELECT owner_kind FROM accounts.totp_secrets WHERE owner_id = $1
     UNION SELECT CASE WHEN account_id IS NOT NULL THEN 'ACCOUNT' WHEN operator_id IS NOT NULL THEN 'OPERATOR' ELSE 'TRADER' END
       FROM accounts.sessions WHERE owner_id = $1 LIMIT 1`,
    [id],
  );
}

/** Purpose of a challenge: a log-in, a proof within a session, or a new passkey. */
export type ChallengePurpose = 'LOGIN' | 'PROVE' | 'REGISTER';

export const challengeMs = 5 * 60_000;
/** Maximum number of challenges of one session that wait; beyond it the oldest are deleted. */
const maxWaiting = 10;

/** Stores a challenge, as its hash, for one session; null before the log-in. */
export async function addChallenge(
  { manager, clock }: Context,
  purpose: ChallengePurpose,
  sessionId: string | null,
  challenge: string,
): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + challengeMs);
  await manager.execute(
    `INSERT INTO accounts.challenges (challenge_hash, purpose, session_id, expires_at) VALUES ($1, $2, $3, $4)`,
    [sha256(challenge), purpose, sessionId, expiresAt],
  );
  if (sessionId === null) return;
  await manager.execute(
    `DELETE FROM accounts.challenges WHERE challenge_hash IN
       (SELECT challenge_hash FROM accounts.challenges WHERE session_id = $1 ORDER BY expires_at DESC OFFSET ${maxWaiting})`,
    [sessionId],
  );
}

/** Takes a challenge away; returns false if there is none of this purpose and session, it has expired, or it was used. */
export function takeChallenge(
  { manager, clock }: Context,
  purpose: ChallengePurpose,
  sessionId: string | null,
  challenge: string,
): Promise<boolean> {
  return manager.changes(
    `DELETE FROM accounts.challenges WHERE challenge_hash = $1 AND purpose = $2
       AND session_id IS NOT DISTINCT FROM $3::uuid AND expires_at > $4`,
    [sha256(challenge), purpose, sessionId, clock.now()],
  );
}

export async function forgetChallenges({ manager, clock }: Context): Promise<void> {
  await manager.execute('DELETE FROM accounts.challenges WHERE expires_at <= $1', [clock.now()]);
}

export interface PasskeyKey {
  readonly id: string;
  readonly ownerId: string;
  readonly ownerKind: SessionOwner['kind'];
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

export const maxPasskeys = 20;

const columns = 'id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"';
const keyColumns = `id, owner_id AS "ownerId", owner_kind AS "ownerKind", credential_id AS "credentialId",
  public_key AS "publicKey", counter::float8 AS counter, transports`;

export function listPasskeys({ manager }: Context, ownerId: string): Promise<Passkey[]> {
  return manager.rows(`SELECT ${columns} FROM accounts.passkeys WHERE owner_id = $1 ORDER BY created_at, id`, [
    ownerId,
  ]);
}

export function listCredentialIds(
  { manager }: Context,
  ownerId: string,
): Promise<Pick<PasskeyKey, 'credentialId' | 'transports'>[]> {
  return manager.rows(
    `SELECT credential_id AS "credentialId", transports FROM accounts.passkeys WHERE owner_id = $1 ORDER BY created_at, id`,
    [ownerId],
  );
}

export function findPasskey({ manager }: Context, credentialId: Uint8Array): Promise<PasskeyKey | undefined> {
  return manager.row(`SELECT ${keyColumns} FROM accounts.passkeys WHERE credential_id = $1`, [
    Buffer.from(credentialId),
  ]);
}

export interface NewPasskey extends Pick<PasskeyKey, 'id' | 'credentialId' | 'publicKey' | 'counter' | 'transports'> {
  readonly name: string;
}

/** Adds a passkey; returns false and adds nothing if its authenticator's id exists already. */
export function insertPasskey({ manager, clock }: Context, owner: SessionOwner, key: NewPasskey): Promise<boolean> {
  const { id, credentialId, publicKey, counter, transports, name } = key;
  return manager.changes(
    `INSERT INTO accounts.passkeys (id, owner_id, owner_kind, credential_id, public_key, counter, transports, name, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT ON CONSTRAINT passkeys_credential DO NOTHING`,
    [id, owner.id, owner.kind, credentialId, publicKey, counter, transports, name, clock.now()],
  );
}

/** Returns false, and records nothing, unless the counter has grown: else the signature, or the authenticator, is a copy. One that does not count always has 0. */
export function usePasskey({ manager, clock }: Context, id: string, counter: number): Promise<boolean> {
  return manager.changes(
    `UPDATE accounts.passkeys SET counter = $2, last_used_at = $3
     WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))`,
    [id, counter, clock.now()],
  );
}

export function deletePasskey({ manager }: Context, ownerId: string, id: string): Promise<string | undefined> {
  return manager.value('DELETE FROM accounts.passkeys WHERE owner_id = $1 AND id = $2 RETURNING name', [ownerId, id]);
}
