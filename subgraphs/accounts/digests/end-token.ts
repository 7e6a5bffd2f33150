import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '../../../shared/security/crypto.js';

/** Makes and reads the tokens by which a mail program, or a reader without a session, ends the digests of an account. */
export interface EndTokens {
  tokenFor(accountId: string): string;
  /** Returns the account of a token; undefined for one that was not made here. */
  accountOf(token: string): string | undefined;
}

const purpose = 'digests/end';
const [idBytes, keyIdBytes, tagBytes] = [16, 4, 16];

/** A token is the account's id, the id of the master key and 16 bytes of HMAC, in Base64url. Tokens do not expire and permit nothing else; those of the previous master key stay valid while configured. */
export function createEndTokens(keyRing: KeyRing): EndTokens {
  const tagOf = (id: Uint8Array, keyId: string): Buffer | undefined => {
    const key = keyRing.derivedBy(keyId, purpose);
    return key && createHmac('sha256', key).update(id).digest().subarray(0, tagBytes);
  };

  return {
    tokenFor: (accountId) => {
      const id = Buffer.from(accountId.replaceAll('-', ''), 'hex');
      const tag = keyRing.hmac(purpose, id).subarray(0, tagBytes);
      return Buffer.concat([id, Buffer.from(keyRing.id, 'hex'), tag]).toString('base64url');
    },
    accountOf: (token) => {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== idBytes + keyIdBytes + tagBytes) return undefined;
      const id = bytes.subarray(0, idBytes);
      const tag = tagOf(id, bytes.toString('hex', idBytes, idBytes + keyIdBytes));
      if (tag === undefined || !timingSafeEqual(tag, bytes.subarray(-tagBytes))) return undefined;
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
}
