import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Sealed } from './sealed.js';

/** The secrets of the platform, all derived from one master key, each for a single purpose. */
export interface KeyRing {
  /** The id of the master key in lists and messages: 8 hexadecimal digits that reveal nothing of the key. */
  readonly id: string;
  /** The first bytes of every value that `seal` writes. */
  readonly header: Buffer;
  /** Derives 32 bytes that no other purpose shares (HKDF-SHA256, RFC 5869). */
  derive(purpose: string): Buffer;
  /** Derives the same from the master key with the given id, present or previous; undefined for any other id. */
  derivedBy(keyId: string, purpose: string): Buffer | undefined;
  /** Derives the same from each master key of this ring, the present one first: for values that do not name their key. */
  derivedByEach(purpose: string): readonly Buffer[];
  /** Encrypts with AES-256-GCM: version byte, 4 bytes of key id, 12-byte nonce, ciphertext, 16-byte tag. */
  seal(kind: Sealed, plain: string): Buffer;
  /** Decrypts by the present or previous key. @throws {SealError} when the value was altered, or sealed for another purpose or key */
  open(kind: Sealed, sealed: Uint8Array): string;
  /** Returns the id of the key that a value names, and its text if a key of this ring opens it. */
  inspect(kind: Sealed, sealed: Uint8Array): { readonly keyId: string | undefined; readonly plain: string | undefined };
  /** HMAC-SHA256 for a purpose: allows looking up a low-entropy value without storing anything it could be guessed from. */
  hmac(purpose: string, data: string | Uint8Array): Buffer;
}

/** A sealed value that no key of this process opens. */
export class SealError extends Error {}

const version = 2;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;

function createMaster(masterKey: Uint8Array) {
  const derived = new Map<string, Buffer>();
  const derive = (purpose: string): Buffer => {
    const known = derived.get(purpose);
    if (known !== undefined) return known;
    const made = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `lastro/${purpose}`, 32));
    derived.set(purpose, made);
    return made;
  };
  const id = derive('key-id').subarray(0, keyIdBytes);
  return {
    id: id.toString('hex'),
    header: Buffer.concat([Buffer.of(version), id]),
    derive,
    /** @param body nonce, ciphertext and tag */
    open: (purpose: string, body: Buffer): string | undefined => {
      try {
        const decipher = createDecipheriv('aes-256-gcm', derive(purpose), body.subarray(0, nonceBytes));
        decipher.setAuthTag(body.subarray(-tagBytes));
        return Buffer.concat([decipher.update(body.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        return undefined;
      }
    },
  };
}

/** @param previous an older key that only opens: values sealed under it are being sealed again under the new one */
export function createKeyRing(masterKey: Uint8Array, previous?: Uint8Array): KeyRing {
  const master = createMaster(masterKey);
  const masters = [master, ...(previous === undefined ? [] : [createMaster(previous)])];
  const { id, header, derive } = master;

  const inspect: KeyRing['inspect'] = ({ purpose }, sealed) => {
    const bytes = Buffer.from(sealed);
    if (bytes.at(0) !== version || bytes.length < header.length + nonceBytes + tagBytes)
      return { keyId: undefined, plain: undefined };
    const keyId = bytes.toString('hex', 1, header.length);
    return { keyId, plain: masters.find((one) => one.id === keyId)?.open(purpose, bytes.subarray(header.length)) };
  };

  return {
    id,
    header,
    derive,
    derivedBy: (keyId, purpose) => masters.find((one) => one.id === keyId)?.derive(purpose),
    derivedByEach: (purpose) => masters.map((one) => one.derive(purpose)),
    seal: ({ purpose }, plain) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', derive(purpose), nonce);
      return Buffer.concat([header, nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open: (kind, sealed) => {
      const { keyId, plain } = inspect(kind, sealed);
      if (plain !== undefined) return plain;
      const known = masters.map((one) => one.id).join(' and ');
      throw new SealError(
        keyId === undefined || masters.some((one) => one.id === keyId)
          ? `A value of ${kind.table} cannot be decrypted with the master key ${known}: it was altered, or encrypted with another key`
          : `A value of ${kind.table} was encrypted with the master key ${keyId}, and this program has ${known}. ` +
              'Start it with that key as MASTER_KEY_PREVIOUS',
      );
    },
    inspect,
    hmac: (purpose, data) => createHmac('sha256', derive(purpose)).update(data).digest(),
  };
}

/** SHA-256 of a secret with enough entropy of its own (keys, tokens); the database stores the hash instead of the secret. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** Compares two secrets in a time that does not reveal where they differ. */
export function sameSecret(left: string | Uint8Array, right: string | Uint8Array): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}
