import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { base32 } from '@scure/base';
import type { Sealed } from '../../../shared/security/sealed.js';

/** Time-based one-time passwords (RFC 6238) as every authenticator application makes them: HMAC-SHA-1, six digits, steps of 30 seconds. */
const stepMs = 30_000;
const digits = 6;
/** Steps before and after the present one whose codes are accepted, for clocks that differ. */
const tolerance = 1;

/** Creates a secret of 160 bits, the length that RFC 4226 §4 recommends. */
export function newTotpSecret(): Buffer {
  return randomBytes(20);
}

/** Returns the code of a time step (RFC 4226 §5.3). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export function totpStep(moment: Date): number {
  return Math.floor(moment.getTime() / stepMs);
}

/** Returns undefined when it is none of the present ones. @param after the step of the last accepted code: it and earlier ones are not accepted again */
export function matchTotp(secret: Uint8Array, code: string, now: Date, after: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const current = totpStep(now);
  let matched: number | undefined;
  for (let step = current - tolerance; step <= current + tolerance; step += 1) {
    const isRight = timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code));
    if (isRight && step > after) matched ??= step;
  }
  return matched;
}

export function totpAddress(secret: Uint8Array, account: string): string {
  const label = `Lastro:${account}`;
  return `otpauth://totp/${encodeURIComponent(label)}?secret=${totpText(secret)}&issuer=Lastro`;
}

/** Returns the secret as a person types it: base32 without padding. */
export function totpText(secret: Uint8Array): string {
  return base32.encode(secret).replaceAll('=', '');
}

export const sealedTotpSecret: Sealed = {
  purpose: 'accounts/totp-secret',
  table: 'accounts.totp_secrets',
  key: { owner_id: 'uuid' },
  columns: ['secret'],
  name: 'secrets of authenticator applications',
  whenLost: 'Their codes are rejected; their owners use a passkey or a recovery code, and add the application again.',
};
