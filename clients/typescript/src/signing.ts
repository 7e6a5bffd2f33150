/** A request as it is signed. */
export interface SignedParts {
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path with query, as in the request line. */
  readonly target: string;
  /** Whole Unix seconds, the text of `X-Timestamp`. */
  readonly timestamp: number;
  /** The bytes of the body as they are sent; text is sent in UTF-8. */
  readonly body?: string | Uint8Array | undefined;
}

type Key = Parameters<typeof crypto.subtle.sign>[1];

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const encoder = new TextEncoder();

/** Reads an RSA private key in PEM, of PKCS #8 (`BEGIN PRIVATE KEY`) or PKCS #1 (`BEGIN RSA PRIVATE KEY`), without a passphrase. @throws TypeError for other text */
export async function readPrivateKey(pem: string): Promise<Key> {
  const [, kind, text] =
    /-----BEGIN (RSA )?PRIVATE KEY-----([\s\S]+?)-----END (?:RSA )?PRIVATE KEY-----/.exec(pem) ?? [];
  if (text === undefined) throw new TypeError('The private key must be an RSA key in PEM, without a passphrase');
  const bytes = fromBase64(text.replace(/\s/g, ''));
  return crypto.subtle.importKey('pkcs8', kind === undefined ? bytes : asPkcs8(bytes), algorithm, false, ['sign']);
}

/** Returns the value of `X-Signature` (docs/contract/credit-assignment.md §1.4). */
export async function signRequest(key: Key, { method, target, timestamp, body }: SignedParts): Promise<string> {
  const head = encoder.encode(`${method}\n${target}\n${timestamp}\n`);
  const bytes = typeof body === 'string' ? encoder.encode(body) : (body ?? new Uint8Array());
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  return toBase64(new Uint8Array(await crypto.subtle.sign(algorithm.name, key, signed)));
}

/** Wraps an RSAPrivateKey of PKCS #1 in a PrivateKeyInfo of PKCS #8, the only form that WebCrypto reads. */
function asPkcs8(rsaKey: Uint8Array): Uint8Array<ArrayBuffer> {
  const version = [0x02, 0x01, 0x00];
  const rsaEncryption = [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00];
  return Uint8Array.from(der(0x30, [...version, ...rsaEncryption, ...der(0x04, [...rsaKey])]));
}

function der(tag: number, content: readonly number[]): number[] {
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return [tag, ...size, ...content];
}

/** Standard Base64 with padding. */
function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Reads Base64; throws for other text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
