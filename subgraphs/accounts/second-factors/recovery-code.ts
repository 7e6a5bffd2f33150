import { randomBytes } from 'node:crypto';
import { base32crockford } from '@scure/base';
import { sha256 } from '../../../shared/security/crypto.js';

export const recoveryCodeCount = 10;

/** Creates a recovery code of 80 random bits: `XXXX-XXXX-XXXX-XXXX`, without letters that look like digits. */
export function newRecoveryCode(): string {
  const text = base32crockford.encode(randomBytes(10));
  return (text.match(/.{4}/g) ?? []).join('-');
}

/** Returns the hash of a code, however it was typed; undefined for a text that cannot be one. */
export function recoveryCodeHash(typed: string): Buffer | undefined {
  if (typed.length > 40) return undefined;
  const text = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(text) ? sha256(text) : undefined;
}
