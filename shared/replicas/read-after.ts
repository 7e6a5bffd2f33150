import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '../crypto.js';
import { parseLsn, type Lsn } from './lsn.js';

/** Tokens of the header `X-Read-After`: a position of the primary that only this service can name. */
export interface ReadAfterTokens {
  sign(lsn: Lsn): string;
  /** Returns the position of a token; undefined when the text is no token of this service. */
  verify(token: string): Lsn | undefined;
}

const purpose = 'read-after';
/** 16 bytes cannot be guessed, and keep the header short. */
const macBytes = 16;
const form = /^([0-9a-f]{8})\.([0-9a-z]{1,13})\.([A-Za-z0-9_-]{22})$/;

/**
 * Creates tokens `<key id>.<position in base 36>.<HMAC-SHA256>`. They are signed, so that a caller cannot name a position that no replica will have for a long
 * time, and thereby choose the primary. Tokens of the previous master key stay valid.
 */
export function createReadAfterTokens(keyRing: KeyRing): ReadAfterTokens {
  const macOf = (key: Buffer, position: string) =>
    createHmac('sha256', key).update(position).digest().subarray(0, macBytes);
  return {
    sign: (lsn) => {
      const position = lsn.toString(36);
      return `${keyRing.id}.${position}.${macOf(keyRing.derive(purpose), position).toString('base64url')}`;
    },
    verify: (token) => {
      const [, keyId, position, mac] = form.exec(token) ?? [];
      if (keyId === undefined || position === undefined || mac === undefined) return undefined;
      const key = keyRing.derivedBy(keyId, purpose);
      const given = Buffer.from(mac, 'base64url');
      if (key === undefined || !timingSafeEqual(given, macOf(key, position))) return undefined;
      return parseLsn(lsnOf36(position).toString());
    },
  };
}

function lsnOf36(text: string): bigint {
  return Array.from(text, (digit) => BigInt(Number.parseInt(digit, 36))).reduce((sum, digit) => sum * 36n + digit, 0n);
}
