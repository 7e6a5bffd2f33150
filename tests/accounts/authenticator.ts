import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether it verified its user; it does when not given. */
  readonly verifiesUser?: boolean;
  /** The counter that it reports, in place of the next one. */
  readonly counter?: number;
}

/** An authenticator with one passkey, as a browser passes it on: registrations and signatures in JSON. */
export type Authenticator = ReturnType<typeof newAuthenticator>;

const url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const hashOf = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

export function newAuthenticator(site: string, userId?: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;
  const authData = (deviation: Deviation, attested: Buffer) => {
    const { rpId = new URL(site).hostname, verifiesUser = true } = deviation;
    counter = deviation.counter ?? counter + 1;
    const flags = 0x01 | (verifiesUser ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([hashOf(rpId), Buffer.of(flags), count, attested]);
  };
  const clientData = (type: string, challenge: string, { origin = new URL(site).origin }: Deviation) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = (response: object) => ({
    id: url(id),
    rawId: url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });
  return {
    create: ({ challenge }: { readonly challenge: string }, deviation: Deviation = {}) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)]);
      const data = authData(deviation, attested);
      return credential({
        clientDataJSON: url(clientData('webauthn.create', challenge, deviation)),
        attestationObject: url(attestationOf(data)),
        transports: ['internal'],
      });
    },
    get: ({ challenge }: { readonly challenge: string }, deviation: Deviation = {}) => {
      const data = authData(deviation, Buffer.alloc(0));
      const client = clientData('webauthn.get', challenge, deviation);
      const signature = sign('sha256', Buffer.concat([data, hashOf(client)]), privateKey);
      return credential({
        clientDataJSON: url(client),
        authenticatorData: url(data),
        signature: url(signature),
        ...(userId === undefined ? {} : { userHandle: url(Buffer.from(userId)) }),
      });
    },
  };
}

/** A P-256 key as COSE (RFC 9053 §7.1.1), in CBOR. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const head = Buffer.from('a5010203262001215820', 'hex');
  return Buffer.concat([head, Buffer.from(x, 'base64url'), Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')]);
}

/** An attestation object of the format `none`, in CBOR. */
function attestationOf(data: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length);
  const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);
  return Buffer.concat([
    Buffer.of(0xa3),
    ...[text('fmt'), text('none'), text('attStmt'), Buffer.of(0xa0), text('authData')],
    Buffer.of(0x59),
    length,
    data,
  ]);
}
