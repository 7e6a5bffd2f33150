import type { Context } from '../../../shared/kernel/context.js';
import type { SessionOwner } from '../../../shared/security/browser-session.js';

/** A passkey, without its key. */
export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A passkey as its signatures are verified. */
export interface PasskeyKey {
  readonly id: string;
  readonly ownerId: string;
  readonly ownerKind: SessionOwner['kind'];
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Maximum number of passkeys of one owner. */
export const maxPasskeys = 20;

const columns = 'id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"';
const keyColumns = `id, owner_id AS "ownerId", owner_kind AS "ownerKind", credential_id AS "credentialId",
  public_key AS "publicKey", counter::float8 AS counter, transports`;

/** Lists the passkeys of an owner, oldest first. */
export function listPasskeys({ manager }: Context, ownerId: string): Promise<PasskeyRow[]> {
  return manager.rows(`SELECT ${columns} FROM accounts.passkeys WHERE owner_id = $1 ORDER BY created_at, id`, [
    ownerId,
  ]);
}

/** Lists the names by which authenticators know the passkeys of an owner. */
export function listCredentialIds(
  { manager }: Context,
  ownerId: string,
): Promise<Pick<PasskeyKey, 'credentialId' | 'transports'>[]> {
  return manager.rows(
    `SELECT credential_id AS "credentialId", transports FROM accounts.passkeys WHERE owner_id = $1 ORDER BY created_at, id`,
    [ownerId],
  );
}

/** Finds a passkey by the id that its authenticator gave it. */
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

/**
 * Records a use of a passkey. Returns false, and records nothing, unless the counter has grown: otherwise the signature is a copy, or the authenticator is.
 * An authenticator that does not count always has 0.
 */
export function usePasskey({ manager, clock }: Context, id: string, counter: number): Promise<boolean> {
  return manager.changes(
    `UPDATE accounts.passkeys SET counter = $2, last_used_at = $3
     WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))`,
    [id, counter, clock.now()],
  );
}

/** Deletes a passkey of an owner, and returns its name. */
export function deletePasskey({ manager }: Context, ownerId: string, id: string): Promise<string | undefined> {
  return manager.value('DELETE FROM accounts.passkeys WHERE owner_id = $1 AND id = $2 RETURNING name', [ownerId, id]);
}
