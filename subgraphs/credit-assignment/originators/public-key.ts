import { createPublicKey, type KeyObject } from 'node:crypto';
import { sha256 } from '../../../shared/security/crypto.js';
import { ApiError } from '../../../shared/kernel/errors.js';

/** A public key, in the one form in which keys are compared and stored. */
export interface PublicKey {
  /** SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), DER. */
  readonly spki: Buffer;
  /** SHA-256 of the SPKI. */
  readonly fingerprint: Buffer;
  /** Length of the modulus. */
  readonly bits: number;
}

const minBits = 2048;
const maxBits = 8192;
/** A certificate with long names has some 4,000 characters. */
const maxLength = 20_000;

/** Their private half is published: registering one would let anybody sign. This is the pair of `examples/signed-client`, with which the documentation shows a signature. */
const published: ReadonlySet<string> = new Set(['fc8da8215eba9a48d75a1e2839ba25b1edb269295e3471ed63c8437d6d8d84d8']);

const privateText =
  'is a private key, which only the client may have. No part of it was stored. If it was sent over a network, generate a new key pair; send the public key: openssl pkey -in private.pem -pubout';
const publishedText = 'is the published key of an example. Generate a key pair of your own: openssl genrsa 3072';
const formText =
  'must be one RSA public key in PEM: -----BEGIN PUBLIC KEY-----, as `openssl pkey -in private.pem -pubout` prints it';

/** Accepts RSA in PEM: `PUBLIC KEY` (SPKI), `RSA PUBLIC KEY` (PKCS #1), or a `CERTIFICATE`, of which only the key is used. @throws {ApiError} BAD_REQUEST, which does not quote the text */
export function readPublicKey(pem: string): PublicKey {
  if (pem.includes('PRIVATE KEY')) throw unfit(privateText);
  const blocks = pem.match(/-----BEGIN ([A-Z0-9 ]+)-----/g) ?? [];
  if (pem.length > maxLength || blocks.length !== 1) throw unfit(formText);
  const key = keyOf(pem);
  if (key?.asymmetricKeyType !== 'rsa') throw unfit(formText);
  const { modulusLength: bits = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (bits < minBits || bits > maxBits)
    throw unfit(
      `has ${bits} bits: generate a key of ${minBits} to ${maxBits} bits, for example with openssl genrsa 3072`,
    );
  if (publicExponent < 3n) throw unfit('has an insecure public exponent: generate a key with openssl genrsa 3072');
  const spki = key.export({ type: 'spki', format: 'der' });
  const fingerprint = sha256(spki);
  if (published.has(fingerprint.toString('hex'))) throw unfit(publishedText);
  return { spki, fingerprint, bits };
}

function unfit(message: string): ApiError {
  return new ApiError('BAD_REQUEST', { details: [{ path: 'publicKey', message }] });
}

function keyOf(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}
