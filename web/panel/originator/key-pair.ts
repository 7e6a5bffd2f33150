/** A pair that the browser has made. Only the public key is sent; the private one is saved as a file, and forgotten with the page. */
export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
  /** SHA-256 of the public key in DER, in hexadecimal, as the server shows it. */
  readonly fingerprint: string;
}

/** Whether the browser can make a pair: only pages over HTTPS, or of the machine itself, have WebCrypto. */
export const canMakeKeyPair = 'subtle' in crypto;

/** Makes a pair of RSA with 3072 bits, as PEM: SPKI and PKCS #8. */
export async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 3072,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    true,
    ['sign', 'verify'],
  );
  const spki = await crypto.subtle.exportKey('spki', publicKey);
  const digest = await crypto.subtle.digest('SHA-256', spki);
  return {
    publicKey: pemOf('PUBLIC KEY', spki),
    privateKey: pemOf('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', privateKey)),
    fingerprint: [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

function pemOf(label: string, der: ArrayBuffer): string {
  const text = btoa(new Uint8Array(der).reduce((all, byte) => all + String.fromCharCode(byte), ''));
  return [`-----BEGIN ${label}-----`, ...(text.match(/.{1,64}/g) ?? []), `-----END ${label}-----`, ''].join('\n');
}
