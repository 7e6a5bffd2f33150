import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { Pool, PoolClient } from 'pg';
import type { Clock } from '../../../shared/kernel/clock.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import { newId } from '../../../shared/kernel/ids.js';
import { sessionLifetimeMs } from './session-lifetime.js';
import { addSigningKey, inOneHand, listSigningKeys, removeRetiredKeys, sealedSigningKey } from './signing-key.store.js';

export const rotationMs = 30 * 86_400_000;

/** How long a new key is only published, so that every instance knows it before the first token signed with it. */
export const announcementMs = 5 * 60_000;

/** How long a replaced key is kept: until its last token has ended, and an hour for clock differences. */
export const retirementMs = sessionLifetimeMs + 3_600_000;

/** Maximum age of an instance's list of keys when it signs. Far below `announcementMs`. */
const maxListAgeMs = 30_000;

/** Minimum pause between reads of the list caused by tokens with an unknown key id. */
const unknownKidPauseMs = 1_000;

export interface SigningKeys {
  /** Returns the current signing key. Creates the first one if there is none. */
  current(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }>;
  /** Returns the key that verifies signatures by `kid`; undefined if there is none. */
  publicKey(kid: string): Promise<CryptoKey | undefined>;
  /** Creates a new key when the newest has signed for 30 days, and deletes those whose last token has ended. */
  rotate(): Promise<void>;
}

interface SigningKey {
  readonly kid: string;
  readonly signsFrom: Date;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

export interface SigningKeyParts {
  readonly pool: Pool;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
}

/**
 * Manages the keys that sign sessions, as this instance knows them. A new key starts to sign five minutes after its
 * creation, and lists are at most 30 seconds old when they are used for signing: every instance knows the key of every
 * token, and rotation logs nobody out. If a clock is wrong by more, an unknown key id makes the instance read the list
 * again, at most once a second.
 */
export function createSigningKeys({ pool, keyRing, clock }: SigningKeyParts): SigningKeys {
  let list: Promise<readonly SigningKey[]> | undefined;
  let readAt = -Infinity;

  const keysReadWithin = (ageMs: number): Promise<readonly SigningKey[]> => {
    if (list !== undefined && performance.now() - readAt <= ageMs) return list;
    readAt = performance.now();
    const reading = readKeys(pool, keyRing);
    list = reading;
    // A failed read of the list is not cached.
    reading.catch(() => {
      if (list === reading) list = undefined;
    });
    return reading;
  };

  const rotate = () => inOneHand(pool, (client) => rotateKeys(client, keyRing, clock.now()));

  const signing = (keys: readonly SigningKey[]) => {
    const now = clock.now();
    for (const { kid, signsFrom, privateKey } of keys.toReversed()) {
      if (signsFrom <= now) return { kid, privateKey };
    }
    return undefined;
  };

  return {
    current: async () => {
      const known = signing(await keysReadWithin(maxListAgeMs));
      if (known !== undefined) return known;
      await rotate();
      const made = signing(await keysReadWithin(-1));
      if (made === undefined) throw new Error('There is no key for signing sessions');
      return made;
    },
    publicKey: async (kid) => {
      const find = (keys: readonly SigningKey[]) => keys.find((key) => key.kid === kid)?.publicKey;
      return find(await keysReadWithin(Infinity)) ?? find(await keysReadWithin(unknownKidPauseMs));
    },
    rotate,
  };
}

/** Reads keys that the master key, or the previous one, decrypts; sessions of the others ended with it. Their rows stay until they are retired: it may be this instance that has the wrong master key. */
async function readKeys(client: Pool | PoolClient, keyRing: KeyRing): Promise<readonly SigningKey[]> {
  const rows = (await listSigningKeys(client)).flatMap((row) => {
    const { plain } = keyRing.inspect(sealedSigningKey, row.privateJwk);
    return plain === undefined ? [] : [{ ...row, privateJwk: JSON.parse(plain) as JWK }];
  });
  return Promise.all(
    rows.map(async ({ kid, signsFrom, publicJwk, privateJwk }) => ({
      kid,
      signsFrom,
      publicKey: await importKey(publicJwk),
      privateKey: await importKey(privateJwk),
    })),
  );
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'EdDSA');
  if (key instanceof Uint8Array) throw new Error('A signing key is not an Ed25519 key');
  return key;
}

async function rotateKeys(client: PoolClient, keyRing: KeyRing, now: Date): Promise<void> {
  const newest = (await readKeys(client, keyRing)).at(-1);
  if (newest === undefined) await addKey(client, keyRing, now, now);
  else if (now.getTime() - newest.signsFrom.getTime() >= rotationMs) {
    await addKey(client, keyRing, now, new Date(now.getTime() + announcementMs));
  }
  await removeRetiredKeys(client, new Date(now.getTime() - retirementMs));
}

async function addKey(client: PoolClient, keyRing: KeyRing, now: Date, signsFrom: Date): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  await addSigningKey(client, {
    kid: newId(now.getTime()),
    publicJwk: await exportJWK(publicKey),
    privateJwk: keyRing.seal(sealedSigningKey, JSON.stringify(await exportJWK(privateKey))),
    createdAt: now,
    signsFrom,
  });
}
