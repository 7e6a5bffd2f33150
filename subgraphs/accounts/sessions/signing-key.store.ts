import type { JWK } from 'jose';
import type { Pool, PoolClient } from 'pg';
import type { Sealed } from '../../../shared/security/sealed.js';

export interface SigningKeyRow {
  readonly kid: string;
  readonly publicJwk: JWK;
  /** Encrypted by the key ring. */
  readonly privateJwk: Buffer;
  readonly createdAt: Date;
  readonly signsFrom: Date;
}

/** Returns every signing key, the most recent last. There are two or three. */
export async function listSigningKeys(
  client: Pool | PoolClient,
): Promise<Pick<SigningKeyRow, 'kid' | 'publicJwk' | 'privateJwk' | 'signsFrom'>[]> {
  const { rows } = await client.query<SigningKeyRow>(
    `SELECT kid, public_jwk AS "publicJwk", private_jwk AS "privateJwk", signs_from AS "signsFrom"
     FROM accounts.signing_keys ORDER BY signs_from`,
  );
  return rows;
}

export async function addSigningKey(client: PoolClient, key: SigningKeyRow): Promise<void> {
  await client.query(
    'INSERT INTO accounts.signing_keys (kid, public_jwk, private_jwk, created_at, signs_from) VALUES ($1, $2, $3, $4, $5)',
    [key.kid, key.publicJwk, key.privateJwk, key.createdAt, key.signsFrom],
  );
}

export async function removeRetiredKeys(client: PoolClient, before: Date): Promise<void> {
  await client.query(
    `DELETE FROM accounts.signing_keys
     WHERE signs_from < (SELECT max(signs_from) FROM accounts.signing_keys WHERE signs_from <= $1)`,
    [before],
  );
}

/** Excludes the same work of all other instances. Rethrows the original error, even if the connection broke and no rollback is possible: the server rolls back by itself. */
export async function inOneHand(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  let broken = false;
  const onBroken = () => {
    broken = true;
  };
  // Without a listener, the end of a connection in use would end the process.
  client.on('error', onBroken);
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE accounts.signing_keys IN SHARE ROW EXCLUSIVE MODE');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  } finally {
    client.off('error', onBroken);
    client.release(broken);
  }
}

export const sealedSigningKey: Sealed = {
  purpose: 'accounts/signing-key',
  table: 'accounts.signing_keys',
  key: { kid: 'text' },
  columns: ['private_jwk'],
  name: 'private keys that sign sessions',
  whenLost: 'The sessions that they signed have ended; users have to log in again.',
};
