import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Secrets of the house, all derived from one master key, each for one purpose. */
export interface KeyRing {
  /** 32 bytes that no other purpose shares (HKDF-SHA256, RFC 5869). */
  derive(purpose: string): Buffer;
  /** Encrypts with AES-256-GCM: version byte, 12-byte nonce, ciphertext, 16-byte tag. */
  seal(purpose: string, plain: string): Buffer;
  /** Opens what `seal` closed; throws when it was altered or closed for another purpose. */
  open(purpose: string, sealed: Uint8Array): string;
  /** HMAC-SHA256 for a purpose, to look a low-entropy value up without storing anything that could be guessed back. */
  hmac(purpose: string, data: string | Uint8Array): Buffer;
}

const version = 1;

export function createKeyRing(masterKey: Uint8Array): KeyRing {
  const derived = new Map<string, Buffer>();
  const derive = (purpose: string): Buffer => {
    const known = derived.get(purpose);
    if (known !== undefined) return known;
    const made = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `lastro/${purpose}`, 32));
    derived.set(purpose, made);
    return made;
  };
  return {
    derive,
    seal: (purpose, plain) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', derive(purpose), nonce);
      return Buffer.concat([
        Buffer.of(version),
        nonce,
        cipher.update(plain, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
    },
    open: (purpose, sealed) => {
      const bytes = Buffer.from(sealed);
      if (bytes.length < 29 || bytes.readUInt8(0) !== version)
        throw new Error(`What was sealed for ${purpose} is not readable`);
      const decipher = createDecipheriv('aes-256-gcm', derive(purpose), bytes.subarray(1, 13));
      decipher.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(13, -16)), decipher.final()]).toString('utf8');
    },
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
