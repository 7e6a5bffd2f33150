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

/** Secrets of the house, all derived from one master key, each for one purpose. */
export interface KeyRing {
  /** The master key, as lists and messages name it: 8 hexadecimal digits that say nothing of the key itself. */
  readonly id: string;
  /** What a value begins with that was sealed under it. */
  readonly header: Buffer;
  /** 32 bytes that no other purpose shares (HKDF-SHA256, RFC 5869). */
  derive(purpose: string): Buffer;
  /** The same by the master key with an id, be it the present or the previous one; undefined for any other. */
  derivedBy(keyId: string, purpose: string): Buffer | undefined;
  /** Encrypts with AES-256-GCM: version byte, 4 bytes of key id, 12-byte nonce, ciphertext, 16-byte tag. */
  seal(kind: Sealed, plain: string): Buffer;
  /**
   * Opens what `seal` closed, under the master key or the previous one.
   * @throws {SealError} when it was altered, or closed for another purpose or under another key
   */
  open(kind: Sealed, sealed: Uint8Array): string;
  /** The id of the key that a value says or, where it says none, shows to be sealed under, and the text where a key opens it. */
  inspect(kind: Sealed, sealed: Uint8Array): { readonly keyId: string | undefined; readonly plain: string | undefined };
  /** HMAC-SHA256 for a purpose, to look a low-entropy value up without storing anything that could be guessed back. */
  hmac(purpose: string, data: string | Uint8Array): Buffer;
}

/** A sealed value that no key of this process opens. */
export class SealError extends Error {}

/** The present form, which names its key, and the one of earlier versions, which does not. */
const [version, namelessVersion] = [2, 1];
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;

/** What one master key derives and opens. */
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

/** @param previous a further key, which opens and does not seal: what it sealed is being sealed again */
export function createKeyRing(masterKey: Uint8Array, previous?: Uint8Array): KeyRing {
  const master = createMaster(masterKey);
  const masters = [master, ...(previous === undefined ? [] : [createMaster(previous)])];
  const { id, header, derive } = master;

  const inspect: KeyRing['inspect'] = ({ purpose }, sealed) => {
    const bytes = Buffer.from(sealed);
    const headerBytes = bytes.at(0) === version ? header.length : 1;
    if (bytes.length < headerBytes + nonceBytes + tagBytes) return { keyId: undefined, plain: undefined };
    const body = bytes.subarray(headerBytes);
    if (bytes.at(0) === version) {
      const keyId = bytes.toString('hex', 1, headerBytes);
      return { keyId, plain: masters.find((one) => one.id === keyId)?.open(purpose, body) };
    }
    for (const one of bytes.at(0) === namelessVersion ? masters : []) {
      const plain = one.open(purpose, body);
      if (plain !== undefined) return { keyId: one.id, plain };
    }
    return { keyId: undefined, plain: undefined };
  };

  return {
    id,
    header,
    derive,
    derivedBy: (keyId, purpose) => masters.find((one) => one.id === keyId)?.derive(purpose),
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
          ? `A value of ${kind.table} does not open under the master key ${known}: it was altered, or sealed under another`
          : `A value of ${kind.table} was sealed under the master key ${keyId}, and this program has ${known}. ` +
              'Start it with that key as MASTER_KEY_PREVIOUS',
      );
    },
    inspect,
    hmac: (purpose, data) => createHmac('sha256', derive(purpose)).update(data).digest(),
  };
}

/** SHA-256 of a secret that has enough entropy of its own (keys, tokens): what the database keeps instead of it. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** Compares in a time that does not tell where two values differ. */
export function sameSecret(left: string | Uint8Array, right: string | Uint8Array): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}
